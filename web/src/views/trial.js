// trial.js - everything about one trial.
import { beliefOf, beliefTable, drawBelief } from "../chart/belief.js";
import { curvesTable, drawCurvesChart, trialRows } from "../chart/curves.js";
import { chart } from "../chart/frame.js";
import { quantityOf } from "../chart/quantity.js";
import { digitsOf } from "../digits.js";
import { el, renew } from "../dom.js";
import { duration, interval, moment, number, real, reals, time } from "../format.js";
import { axisWords, goalWords, isNamed, modelledOf, objectivesOf, outputsOf } from "../goals.js";
import { nameOf, short, visible, workerOf } from "../names.js";
import { changesTable, changeWords } from "../parts/changes.js";
import { decisionWords } from "../parts/ended.js";
import { noteText, tagLinks } from "../parts/notes.js";
import { outputs } from "../parts/outputs.js";
import { trialEdits } from "../parts/trial_edits.js";
import { card, facts, feasibleMark, paramsTable, stateMark } from "../parts/words.js";
import { lastTrial, oneTrial } from "../rows.js";

const ORIGINS = {
    design: "the initial design", model: "the model", random: "a random draw", given: "given by hand",
    again: "the model, to measure a result again that is too good to believe",
    explore: "exploring: far from all results, or at random",
    confirm: "the model, to measure the recommended point",
};

const verdict = (t) => {
    if ((t.miss ?? null) === null) return "No set was announced for this trial, or nothing was measured: there is nothing to judge.";
    return t.miss ? "The first measurement lay outside the set that was announced for it: a miss."
        : "The first measurement lay inside the set that was announced for it.";
};

/** The results that count and those that were taken back, in the order told; null if this report does not contain them. */
const resultsOf = ({ measurements: list, retracted = [] }) => list && [...list, ...retracted]
    .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));

/** A cell; struck through if the result was taken back. */
const cellOf = (m, inside, attributes = { class: "number" }) => el("td", attributes, m.by ? el("del", {}, inside) : inside);

const rowOf = (m, cells) => el("tr", { class: m.by ? "retracted" : null }, cells);

/** Who took results back, when and why. */
const takenBack = (list, changes) => list.filter((m) => m.by).map((m) => el("p", { class: "taken-back" },
    `The result of event ${m.sequence}: ${changeWords(changes, m.by)}`));

function measurements(t) {
    const list = resultsOf(t);
    if (!list) return null;
    if (list.length === 0) return card("Measurements", el("p", { class: "soft" }, "There is none."));
    const digits = digitsOf(list.map((m) => real(m.value)), 8);
    const cells = (m) => [cellOf(m, number(m.value, digits)), cellOf(m, number(m.sd)), cellOf(m, m.n ?? "–"),
        cellOf(m, m.sequence ?? "–"), cellOf(m, moment(m.told ?? null), { title: time(m.told ?? null) })];
    return card("Measurements", el("div", { class: "scroll" }, el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, ["Value", "Standard deviation", "n", "Event number", "Told"].map((c, i) =>
            el("th", { scope: "col", class: i < 4 ? "number" : null }, c)))),
        el("tbody", {}, list.map((m) => rowOf(m, cells(m)))))), takenBack(list, t.changes));
}

/** Attributes of the box of a wide table. */
const boxOf = (label) => ({ class: "scroll", tabindex: 0, role: "region", "aria-label": label });

/** One measurement of an output: its value, and how accurate it is if that is known. */
const measured = (m, digits) => (!m ? el("span", { class: "soft" }, "–") : [number(m.value, digits),
    m.sd === null || m.sd === undefined ? null : ` ± ${number(m.sd)}`, m.n > 1 ? ` (n = ${m.n})` : null]);

/** The measurements of a study with a table of outputs: a column for each. */
function measurementsByOutput(t, definition) {
    const list = resultsOf(t);
    if (!list) return null;
    if (list.length === 0) return card("Measurements", el("p", { class: "soft" }, "There is none."));
    const columns = outputsOf(definition).map(({ name }) => ({
        name, digits: digitsOf(list.map((m) => real(m.outputs[name]?.value)), 6),
    }));
    const cells = (m) => [columns.map(({ name, digits }) => cellOf(m, measured(m.outputs[name], digits))),
        cellOf(m, m.sequence ?? "–"), cellOf(m, moment(m.told ?? null), { title: time(m.told ?? null) })];
    const heads = [...columns.map(({ name }) => nameOf(name, 24)), "Event number", "Told"];
    return card("Measurements", el("div", boxOf("Measurements"), el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, heads.map((c, i) =>
            el("th", { scope: "col", class: i < heads.length - 1 ? "number" : null }, c)))),
        el("tbody", {}, list.map((m) => rowOf(m, cells(m)))))), takenBack(list, t.changes));
}

/** Why a trial is not among those of the space, and what people say of it. */
const outsideNote = ({ outside }) => (outside ? el("p", { class: "warning" },
    `This trial is outside the space since the alteration at event ${outside}.`) : null);
const noteCard = ({ note, tags }, context) => (note || tags.length ? card("Note", noteText(note),
    tags.length ? el("p", { class: "tags" }, tagLinks(tags, context)) : null) : null);
const changesCard = ({ changes }, context) => (changes.length ? card("Changes", changesTable([...changes].reverse(), context, false))
    : null);

const seconds = (t) => (t.ended !== null && t.started !== null ? t.ended - t.started : null);

const course = (t) => card("Course", facts([
    ["proposed by", ORIGINS[t.origin] ?? t.origin],
    ["worker", t.worker ? workerOf(t.worker, 60) : null],
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

const believed = ({ belief: b, value }, definition) => (b && b.mean !== null ? card("Believed when asked", facts([
    ["mean", number(b.mean, digitsBeside({ belief: b, value }))],
    ["standard deviation of the objective", known(b.sd_f)],
    ["standard deviation of a measurement", known(b.sd_y)],
    ["set for a measurement", interval(b.y_interval)],
    ["set for the objective", b.f_interval === null ? "none yet: fewer than 5 results" : interval(b.f_interval)],
    ["threshold λ", known(b.threshold)],
    [quantityOf("acquisition", definition).label, known(b.acquisition)],
    ["probability of success", known(b.success)],
])) : null);

const QUANTITIES = [
    ["Mean", (b) => number(b.mean, 6)], ["Set for a measurement", (b) => b.y_interval && interval(b.y_interval)],
    ["Set for the output itself", (b) => b.f_interval && interval(b.f_interval)],
    ["Sd of a measurement", (b) => known(b.sd_y)], ["Sd of the output", (b) => known(b.sd_f)],
    ["Threshold λ", (b) => known(b.threshold)],
];

/** What was believed of each output, a row for each; acquisition and success are those of the trial. */
function believedByOutput(beliefs, definition) {
    const names = modelledOf(definition).map(({ name }) => name).filter((name) => known(beliefs[name]?.mean) !== null);
    if (names.length === 0) return null;
    const columns = QUANTITIES.filter(([, cell]) => names.some((name) => cell(beliefs[name])));
    const first = (key) => names.map((name) => known(beliefs[name][key])).find((v) => v !== null) ?? null;
    return card("Believed when asked", el("div", boxOf("Believed when asked"), el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Output"),
            columns.map(([title]) => el("th", { scope: "col", class: "number" }, title)))),
        el("tbody", {}, names.map((name) => el("tr", {}, el("th", { scope: "row" }, nameOf(name, 24)),
            columns.map(([, cell]) => el("td", { class: "number" }, cell(beliefs[name]) ?? "–"))))))),
    facts([[quantityOf("acquisition", definition).label, first("acquisition")], ["probability of success", first("success")]]));
}

/** What a trial has of one output: {belief, values, miss, level}, as the charts take it. */
const ofOutput = (t, name) => ({
    belief: t.beliefs?.[name] ?? null, miss: t.misses?.[name] ?? null, level: t.level,
    values: (t.measurements ?? []).map((m) => m.outputs[name]?.value).filter((v) => v !== null && v !== undefined),
});

/** The charts: one of the only value, or one of each output that is modelled. {element, show(trial)} */
function pictures({ study, definition }) {
    const one = (title, name = "") => chart({
        name: `${study}-trial${name}`, title, draw: drawBelief, table: beliefTable,
        height: (width) => (width < 500 ? 210 : 150),
    });
    const draw = (picture, data, words) => {
        if (data.y || Number.isFinite(data.mean)) picture.show(data, words);
        else picture.empty(words);
    };
    if (!isNamed(definition)) {
        const picture = one("Believed and measured");
        return { element: picture.element, show: (t) => draw(picture, beliefOf(t), verdict(t)) };
    }
    const all = modelledOf(definition).map((output) => ({ output, picture: one(output.name, `-${output.name}`) }));
    return {
        element: el("div", { class: "deck" }, all.map(({ picture }) => picture.element)),
        show: (t) => all.forEach(({ output, picture }) => {
            const of = ofOutput(t, output.name), data = beliefOf(of, axisWords(output), `${short(output.name, 22)} itself`);
            // a bound that is a multiple of a trial's value is not known here
            if (output.relative_to === null && output.bound !== null) Object.assign(data, {
                bound: output.bound, goal: goalWords(output),
            });
            draw(picture, data, verdict(of));
        }),
    };
}

/** The curves of the attempts of a trial; hidden while it has none. {element, show(trial)} */
function attemptCurves({ study, definition }) {
    const picture = chart({
        name: `${study}-trial-curves`, title: "Steps", draw: drawCurvesChart, table: curvesTable,
        height: (width) => (width < 500 ? 260 : 240), label: ({ rows }) => `Values of ${rows.at(-1).steps} steps`,
    });
    const first = objectivesOf(definition)[0], element = el("div", { class: "stack" });
    element.hidden = true;
    return { element, show(t) {
        element.hidden = !t.curves?.length;
        if (!t.curves?.length) return;
        if (!picture.element.isConnected) renew(element, picture.element);
        const rows = trialRows(t), direction = first?.goal ?? definition.options.direction;
        const words = rows.length > 1 ? `The curves of ${rows.length} attempts; the last one is drawn strong.` : "What the evaluation reported.";
        picture.show({ rows, direction, output: first?.name, incumbent: real(t.decision?.incumbent), level: "best value at the decision" },
            decisionWords(t.decision) ?? words);
    } };
}

/** The value of the only objective, or whether the trial is feasible. */
function headWords(t, definition) {
    if (!isNamed(definition)) return t.value === null ? "" : number(t.value, Math.max(8, digitsBeside(t)));
    const [{ name }, ...others] = objectivesOf(definition), value = t.values?.length ? number(t.value, 8) : null;
    return others.length || value === null ? "" : `${name} ${value}`;
}

/** What the attempts printed; where outputs are numbers it has another key. */
const printedBy = (t, definition) => (isNamed(definition) ? t.attempts : t.outputs);

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
        const left = stack(), right = stack(), below = stack(), mind = stack(), printed = stack();
        const change = context.source.token() ? trialEdits(context) : null;
        if (change) change.element.hidden = true;
        const picture = pictures(context), reported = attemptCurves(context), named = isNamed(context.definition);
        const feasible = el("span");
        below.hidden = !named;
        const content = el("div", { class: "view" }, reported.element, picture.element, el("div", { class: "deck" }, left, right), below,
            mind, change?.element, printed);
        const element = el("div", { class: "view" },
            el("div", { class: "head" }, title, state, value, feasible, beside), none, content);
        const keys = byKey(element);
        document.addEventListener("keydown", keys);

        function show(t) {
            renew(state, stateMark(t.state));
            const { definition } = context, words = printedBy(t, definition);
            renew(value, headWords(t, definition));
            renew(feasible, feasibleMark(t.feasible ?? null));
            picture.show(t);
            reported.show(t);
            renew(left, card("Parameters", paramsTable(definition, t.params)), named ? null : measurements(t));
            renew(right, outsideNote(t), noteCard(t, context), course(t), named ? null : believed(t, definition));
            renew(mind, changesCard(t, context));
            change?.show(t);
            if (named) renew(below, measurementsByOutput(t, definition),
                believedByOutput(t.beliefs ?? {}, definition));
            renew(printed, words ? outputs(words) : null,
                words === null ? el("p", { class: "note" }, "This report does not contain what this trial printed.") : null);
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
                feasible.hidden = content.hidden || (t.feasible ?? null) === null;
                if (t.nothing) none.textContent = t.nothing;
                else show(t);
                if (change) change.element.hidden = !(await context.source.get("studies")).edit;
            },
            close: () => document.removeEventListener("keydown", keys),
        };
    },
};
