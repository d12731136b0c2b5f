// trials.js - the table of trials: paged, sorted, filtered; the choices are in the address.
import { digitsFor, digitsOf } from "../digits.js";
import { el, renew, replace } from "../dom.js";
import { count, duration, interval, moment, number, plural, real, reals, time, value } from "../format.js";
import { constraintsOf, hasSeveral, isNamed, objectivesOf, outputsOf } from "../goals.js";
import { nameOf, short, visible, workerOf } from "../names.js";
import { tagWords } from "../parts/notes.js";
import { stateMark, STATES } from "../parts/words.js";
import { DEFAULTS, trialsPage } from "../rows.js";

const SIZES = [20, 50, 100, 200, 500];

const missWord = (miss) => (miss === null ? el("span", { class: "soft" }, "–")
    : miss ? el("span", { class: "miss-word" }, "✕ miss") : "inside");

const yesOrNo = (feasible) => (feasible === null ? el("span", { class: "soft" }, "–")
    : feasible ? "yes" : el("span", { class: "broken-word" }, "✕ no"));

const timeOf = (seconds) => (seconds === null ? "–" : el("span", { title: time(seconds) }, moment(seconds)));

/** Digits that distinguish the rows of a page, and, of one row, the ends of its set. */
const digitsOfValues = (rows) => digitsOf(rows.flatMap((r) => [real(r.value), real(r.mean)]), 5, 100);
function digitsBeside({ interval: set }, digits) {
    const [low, high] = reals(set ?? [NaN, NaN]);
    return Math.max(digits, digitsFor(high, (high - low) / 10, digits));
}

/** {title, sort (null: cannot), cell(row, digits), isNumber, kind, digits(rows) or null, fits(answer)} of each column. */
function columnsOf({ definition, link }) {
    const column = (title, sort, cell, isNumber = false, kind = null, digits = null, fits = () => true) => (
        { title, sort, cell, isNumber, kind, digits, fits });
    const some = (title, cell, kind, fits) => column(title, null, cell, false, kind, null, fits);
    const measured = (title, name) => column(title, name,
        (r, digits) => number(r[name], digitsBeside(r, digits)), true, null, digitsOfValues);
    const shown = (v, digits) => (v === null ? el("span", { class: "soft" }, value(v)) : nameOf(value(v, digits), 40));
    const parameter = ({ name, values }) => (values
        ? column(name, `param:${name}`, (r) => shown(r.params[name]))
        : column(name, `param:${name}`, (r, digits) => shown(r.params[name], digits), true, null,
            (rows) => digitsOf(rows.map((r) => real(r.params[name])), 5, 100)));
    const digitsOfOutput = (name) => (rows) => digitsOf(rows.map((r) => real(r.outputs[name])), 5, 100);
    const output = ({ name }) => column(name, `outputs.${name}`, (r, digits) => number(r.outputs[name], digits), true, null,
        digitsOfOutput(name));
    const named = isNamed(definition), of = named ? ` (${objectivesOf(definition)[0].name})` : "";
    return [
        column("Trial", "trial", (r) => el("a", { href: link("trial", { number: r.trial }) }, r.trial), true),
        column("State", "state", (r) => stateMark(r.state)),
        ...(named ? outputsOf(definition).map(output) : [measured("Value", "value")]),
        ...(constraintsOf(definition).length ? [column("Feasible", null, (r) => yesOrNo(r.feasible))] : []),
        ...(hasSeveral(definition) ? [] : [measured(`Believed${of}`, "mean"),
            column(`Announced set${of}`, null, (r) => interval(r.interval), true)]),
        column("Verdict", null, (r) => missWord(r.miss)),
        ...definition.parameters.map(parameter),
        column("Duration", "seconds", (r) => duration(r.seconds), true),
        some("Tags", (r) => tagWords(r.tags), "tags", ({ tags }) => Object.keys(tags).length > 0),
        some("Note", (r) => visible(r.note || ""), "words", ({ rows }) => rows.some((r) => r.note)),
        column("Message", null, (r) => visible(r.message || ""), false, "words"),
        column("Worker", "worker", (r) => (r.worker ? workerOf(r.worker) : "–"), false, "cut"),
        column("Started", "started", (r) => timeOf(r.started)),
        column("Ended", "ended", (r) => timeOf(r.ended)),
        column("Origin", null, (r) => r.origin),
        column("Results", null, (r) => r.count, true),
        column("Attempt", null, (r) => r.attempt, true),
    ];
}

function header(columns, { sort, order }, go) {
    return columns.map((c) => {
        const kind = c.isNumber ? "number" : null;
        if (!c.sort) return el("th", { scope: "col", class: kind }, nameOf(c.title, 32));
        const next = sort === c.sort ? (order === "asc" ? "desc" : "asc") : c.sort === "trial" ? "desc" : "asc";
        const sorted = sort === c.sort ? { asc: "ascending", desc: "descending" }[order] : null;
        const onclick = () => go({ sort: c.sort, order: next, page: null });
        return el("th", { scope: "col", class: kind, "aria-sort": sorted },
            el("button", { type: "button", title: c.title, dataset: { key: c.sort }, onclick }, short(c.title, 24)));
    });
}

const line = (columns, digits, row) => el("tr", {}, columns.map((c, i) => {
    const inside = c.cell(row, digits[i]);
    return el("td", { class: c.isNumber ? "number" : c.kind, title: typeof inside === "string" && c.kind ? inside : null }, inside);
}));

/** The filter of tags: {element, show({tags})}; hidden while no trial has one. */
function tagFilter({ params, go }) {
    const select = el("select", { onchange: () => go({ tag: select.value, page: null }) });
    const element = el("label", { hidden: true }, "Tag", select);
    let last = null;
    return { element, show({ tags }) {
        const wanted = params.tag ?? "", all = { ...(wanted ? { [wanted]: 0 } : {}), ...tags }, now = JSON.stringify([all, wanted]);
        element.hidden = Object.keys(all).length === 0;
        if (now === last || document.activeElement === select) return;
        last = now;
        replace(select, el("option", { value: "" }, "any"), Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([tag, n]) => el("option", { value: tag, selected: tag === wanted }, `${short(tag, 32)} (${count(n)})`)));
    } };
}

/** The filters; they write into the address. */
function filters({ params, go, definition }, tags) {
    const chosen = new Set((params.state ?? "").split(",").filter(Boolean));
    const ticked = () => [...states.querySelectorAll("input:checked")].map((input) => input.value).join(",");
    const states = el("fieldset", {}, el("legend", { class: "sight" }, "States"), STATES.map((state) => el("label", {},
        el("input", {
            type: "checkbox", value: state, checked: chosen.has(state), onchange: () => go({ state: ticked(), page: null }),
        }), stateMark(state))));
    const misses = el("label", {}, el("input", {
        type: "checkbox", checked: params.miss === "1",
        onchange: (event) => go({ miss: event.target.checked ? "1" : null, page: null }),
    }), "only misses");
    const kept = el("label", { hidden: constraintsOf(definition).length === 0 }, "Feasible",
        el("select", { onchange: (event) => go({ feasible: event.target.value, page: null }) },
            [["", "any"], ["yes", "yes"], ["no", "no"]].map(([value, words]) =>
                el("option", { value, selected: value === (params.feasible ?? "") }, words))));
    let typing = 0;
    const text = el("input", {
        type: "search", placeholder: "worker, message or note", value: params.q ?? "",
        "aria-label": "Worker, message or note contains",
        oninput: () => {
            clearTimeout(typing);
            typing = setTimeout(() => go({ q: text.value, page: null }), 250);
        },
    });
    const size = el("label", {}, "Rows", el("select", { onchange: (event) => go({ size: event.target.value, page: null }) },
        SIZES.map((n) => el("option", { value: n, selected: n === Number(params.size ?? DEFAULTS.size) }, n))));
    return el("div", { class: "card filters", role: "search" }, states, kept, misses, tags.element, text, size);
}

/** The query of the table: the address with invalid values replaced. */
function wantedOf(params, columns) {
    const whole = (text, most, otherwise) => Math.min(most, Math.max(1, Math.floor(Number(text)) || otherwise));
    return {
        sort: columns.some((c) => c.sort && c.sort === params.sort) ? params.sort : DEFAULTS.sort,
        order: ["asc", "desc"].includes(params.order) ? params.order : DEFAULTS.order,
        state: (params.state ?? "").split(",").filter((s) => STATES.includes(s)).join(","),
        q: params.q ?? "", tag: params.tag ?? "", miss: params.miss === "1" ? "1" : "",
        feasible: ["yes", "no"].includes(params.feasible) ? params.feasible : "",
        page: whole(params.page, 1e9, 1), size: whole(params.size, 500, DEFAULTS.size),
    };
}

function summary(answer) {
    const part = answer.matching === answer.trials ? plural(answer.trials, "trial")
        : `${count(answer.matching)} of ${plural(answer.trials, "trial")}`;
    return answer.held !== undefined && answer.held < answer.trials
        ? `${part}; this report contains ${count(answer.held)} of them` : part;
}

export default {
    name: "trials", title: "Trials",
    open(context) {
        const { go, params } = context;
        const all = columnsOf(context), tags = tagFilter(context);
        const head = el("thead"), body = el("tbody");
        const box = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Trials" },
            el("table", { class: "grid" }, head, body));
        const none = el("p", { class: "empty", hidden: true });
        const words = el("p", { class: "soft", role: "status" });
        const turn = (step) => go({ page: Number(params.page ?? 1) + step });
        const before = el("button", { type: "button", onclick: () => turn(-1) }, "← Previous");
        const after = el("button", { type: "button", onclick: () => turn(1) }, "Next →");
        const page = el("span", { class: "number" });
        let shownHead = "";

        function show(answer) {
            const pages = Math.max(1, Math.ceil(answer.matching / answer.size));
            if (answer.page > pages) return go({ page: pages === 1 ? null : pages });
            const columns = all.filter((c) => c.fits(answer));
            const order = [answer.sort, answer.order, ...columns.map((c) => c.title)].join("\n");
            tags.show(answer);
            if (order !== shownHead) renew(head, el("tr", {}, header(columns, answer, go)));
            shownHead = order;
            const digits = columns.map((c) => c.digits?.(answer.rows));
            renew(body, answer.rows.map((row) => line(columns, digits, row)));
            box.hidden = answer.rows.length === 0;
            none.hidden = !box.hidden;
            none.textContent = answer.trials === 0 ? "There is no trial yet." : "No trial matches the filters.";
            words.textContent = summary(answer);
            page.textContent = `page ${answer.page} of ${count(pages)}`;
            before.disabled = answer.page <= 1;
            after.disabled = answer.page >= pages;
        }

        return {
            element: el("div", { class: "view" }, filters(context, tags),
                el("section", { class: "card", "aria-label": "Trials" },
                    el("div", { class: "pages" }, words, el("div", { class: "row" }, before, page, after)), none, box)),
            async update() {
                const answer = await trialsPage(context.source, context.study, wantedOf(params, all));
                if (answer.nothing) {
                    box.hidden = true;
                    none.hidden = false;
                    none.textContent = answer.nothing;
                } else show(answer);
            },
        };
    },
};
