// trial.js - everything about one trial.
import { beliefOf, beliefTable, drawBelief } from "../chart/belief.js";
import { chart } from "../chart/frame.js";
import { quantityOf } from "../chart/quantity.js";
import { digitsOf } from "../digits.js";
import { el, renew } from "../dom.js";
import { duration, interval, moment, number, real, reals, time } from "../format.js";
import { nameOf, visible } from "../names.js";
import { outputs } from "../parts/outputs.js";
import { card, facts, paramsTable, stateMark } from "../parts/words.js";
import { lastTrial, oneTrial } from "../rows.js";

const ORIGINS = {
    design: "the initial design", model: "the model", random: "a random draw", given: "given by hand",
    again: "the model, to measure a result again that is too good to believe",
    explore: "exploring: far from all results, or at random",
    confirm: "the model, to measure the recommended point",
};

const verdict = (t) => {
    if (t.miss === null) return "No set was announced for this trial, or nothing was measured: there is nothing to judge.";
    return t.miss ? "The first measurement lay outside the set that was announced for it: a miss."
        : "The first measurement lay inside the set that was announced for it.";
};

function measurements(list) {
    if (!list) return null;
    if (list.length === 0) return card("Measurements", el("p", { class: "soft" }, "There is none."));
    const digits = digitsOf(list.map((m) => real(m.value)), 8);
    return card("Measurements", el("div", { class: "scroll" }, el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, ["Value", "Standard deviation", "n", "Event number", "Told"].map((c, i) =>
            el("th", { scope: "col", class: i < 4 ? "number" : null }, c)))),
        el("tbody", {}, list.map((m) => el("tr", {}, el("td", { class: "number" }, number(m.value, digits)),
            el("td", { class: "number" }, number(m.sd)), el("td", { class: "number" }, m.n ?? "–"),
            el("td", { class: "number" }, m.sequence ?? "–"), el("td", { title: time(m.told ?? null) }, moment(m.told ?? null))))))));
}

const seconds = (t) => (t.ended !== null && t.started !== null ? t.ended - t.started : null);

const course = (t) => card("Course", facts([
    ["proposed by", ORIGINS[t.origin] ?? t.origin],
    ["worker", t.worker ? nameOf(t.worker, 60) : null],
    ["attempt", t.retries ? `${t.attempt}, ${t.retries} of them repeated after a temporary failure` : t.attempt],
    ["asked", time(t.asked)],
    ["started", t.started === null ? null : time(t.started)],
    ["ended", t.ended === null ? null : time(t.ended)],
    ["took", seconds(t) === null ? null : duration(seconds(t))],
    ["lease ends", t.lease ? time(t.lease) : null],
    ["seed", t.seed],
    ["results known when asked", t.told],
    ["message", t.message ? visible(t.message) : null],
]));

const known = (v) => (v === undefined || v === null ? null : number(v));

/** Digits that distinguish the value, the mean and the ends of the set. */
const digitsBeside = ({ belief: b, value }) => digitsOf([real(value), real(b?.mean), ...reals(b?.y_interval ?? [])], 6);

const believed = ({ belief: b, value }, options) => (b && b.mean !== null ? card("Believed when asked", facts([
    ["mean", number(b.mean, digitsBeside({ belief: b, value }))],
    ["standard deviation of the objective", known(b.sd_f)],
    ["standard deviation of a measurement", known(b.sd_y)],
    ["set for a measurement", interval(b.y_interval)],
    ["set for the objective", b.f_interval === null ? "none yet: fewer than 5 results" : interval(b.f_interval)],
    ["threshold λ", known(b.threshold)],
    [quantityOf("acquisition", options).label, known(b.acquisition)],
    ["probability of success", known(b.success)],
])) : null);

/** Links to the previous and the next trial. */
function steps(context, number, last) {
    const link = (n, rel, words) => (n >= 1 && (last === null || n <= last)
        ? el("a", { href: context.link("trial", { number: n }), rel, dataset: { key: rel } }, words)
        : el("span", { class: "soft" }, words));
    return [link(number - 1, "prev", "← previous"), link(number + 1, "next", "next →"),
        el("a", { href: context.link("trials") }, "All trials")];
}

const OWN_ARROWS = "input, select, textarea, pre, .scroll, .numbers, dialog"; // these use the arrow keys themselves

const byKey = (element) => (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(OWN_ARROWS)) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    element.querySelector(`a[rel="${rel}"]`)?.click();
};

export default {
    name: "trial", title: "Trial",
    open(context) {
        const title = el("h1"), state = el("span"), value = el("span", { class: "big" });
        const beside = el("nav", { class: "steps", "aria-label": "Previous and next trial" });
        const none = el("p", { class: "empty", hidden: true });
        const stack = () => el("div", { class: "stack" });
        const left = stack(), right = stack(), printed = stack();
        const picture = chart({
            name: `${context.study}-trial`, title: "Believed and measured", draw: drawBelief, table: beliefTable,
            height: (width) => (width < 500 ? 210 : 150),
        });
        const content = el("div", { class: "view" }, picture.element, el("div", { class: "deck" }, left, right), printed);
        const element = el("div", { class: "view" },
            el("div", { class: "head" }, title, state, value, beside), none, content);
        const keys = byKey(element);
        document.addEventListener("keydown", keys);

        function show(t) {
            renew(state, stateMark(t.state));
            renew(value, t.value === null ? "" : number(t.value, Math.max(8, digitsBeside(t))));
            const data = beliefOf(t);
            if (data.y || Number.isFinite(data.mean)) picture.show(data, verdict(t));
            else picture.empty(verdict(t));
            renew(left, card("Parameters", paramsTable(context.definition, t.params)), measurements(t.measurements));
            renew(right, course(t), believed(t, context.definition.options));
            renew(printed, t.outputs ? outputs(t.outputs) : null,
                t.outputs === null ? el("p", { class: "note" }, "This report does not contain what this trial printed.") : null);
        }

        return {
            element,
            follows: true,
            async update() {
                const number = Number(context.params.number);
                const last = await lastTrial(context.source, context.study);
                const t = Number.isInteger(number) && number >= 1 && number <= last
                    ? await oneTrial(context.source, context.study, number) : { nothing: "There is no such trial." };
                title.textContent = `Trial ${context.params.number ?? "?"}`;
                renew(beside, steps(context, number, last));
                none.hidden = !t.nothing;
                content.hidden = Boolean(t.nothing);
                state.hidden = value.hidden = content.hidden;
                if (t.nothing) none.textContent = t.nothing;
                else show(t);
            },
            close: () => document.removeEventListener("keydown", keys),
        };
    },
};
