// words.js - small pieces that several views show: states, links to trials, parameters, facts.
import { el } from "../dom.js";
import { valueIn } from "../format.js";
import { nameOf } from "../names.js";

export const STATES = ["COMPLETE", "RUNNING", "WAITING", "FAILED", "INFEASIBLE", "RETRACTED", "PRUNED"];
const WORDS = {
    COMPLETE: "complete", RUNNING: "running", WAITING: "waiting", FAILED: "failed", INFEASIBLE: "infeasible",
    RETRACTED: "retracted", PRUNED: "ended early",
};

/** States that few studies have: they are named only if a trial is in one. */
export const isRare = (state) => state === "RETRACTED" || state === "PRUNED";
export const stateWord = (state) => WORDS[state] ?? state;
/** The state as a coloured dot and a word. */
export const stateMark = (state) => el("span", { class: "state-word" },
    el("span", { class: `dot s-${state}`, "aria-hidden": "true" }), stateWord(state));

/** Whether a result keeps to the constraints; nothing where that is not known. */
export const feasibleMark = (feasible) => (feasible === null ? null
    : el("span", { class: feasible ? "good" : "broken-word" }, feasible ? "✓ feasible" : "✕ not feasible"));

export const trialLink = (context, trial) => (trial === null || trial === undefined ? null
    : el("a", { href: context.link("trial", { number: trial }) }, `trial ${trial}`));

/** The values of the parameters, in the order of the definition; with the exact value as the tooltip. */
export const paramsTable = (definition, params) => el("table", { class: "params" },
    el("tbody", {}, definition.parameters.filter((p) => p.name in params).map((p) => el("tr", {},
        el("th", { scope: "row" }, nameOf(p.name, 22)),
        params[p.name] === null ? el("td", { class: "soft" }, valueIn(p, null))
            : el("td", { class: p.values ? null : "number", title: String(params[p.name]) },
                nameOf(valueIn(p, params[p.name])))))));

/** Pairs [name, value] as a list of facts; those without a value are left out. */
export const facts = (pairs) => el("dl", { class: "facts" },
    pairs.filter(([, v]) => v !== null && v !== undefined).map(([name, v]) => [el("dt", {}, name), el("dd", {}, v)]));

export const card = (title, ...children) => el("section", { class: "card" },
    el("header", {}, el("h2", {}, title)), children);

/** "minimise" or "maximise" as a comparison of values. */
export const isBetter = (direction) => (direction === "maximize" ? (a, b) => a > b : (a, b) => a < b);
