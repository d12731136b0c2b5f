// definition.js - the definition of the study: its parameters, options, stop rules and command.
import { el } from "../dom.js";
import { duration, number, value } from "../format.js";
import { goalWords, outputsOf } from "../goals.js";
import { nameOf } from "../names.js";
import { isFree } from "../points.js";
import { quoted } from "./command.js";
import { facts } from "./words.js";

const rangeOf = (p) => (p.values ? p.values.join(", ") : `${value(p.low)} … ${value(p.high)}`)
    + (p.step ? `, in steps of ${value(p.step)}` : "") + (p.log ? ", logarithmic" : "")
    + (p.fidelity ? "; the fidelity: what counts is its upper end" : "");

/** What alterations have left of a parameter: "frozen at 0.5", "c is retired", "0 before it was added". */
const alteredOf = (p) => [
    isFree(p) ? null : `frozen at ${value(p.frozen)}`,
    p.retired?.length ? `${p.retired.join(", ")} ${p.retired.length > 1 ? "are" : "is"} retired` : null,
    p.past === undefined ? null : `${value(p.past)} before it was added`,
].filter(Boolean).join("; ");

/** "kernel is rbf or poly" */
const whenOf = ({ when }) => (when ? Object.entries(when).map(([name, values]) => `${name} is ${values.join(" or ")}`)[0]
    : "always");

/** With columns of conditions and of alterations, if there are some. */
function parameters(list) {
    const conditions = list.some((p) => p.when), altered = list.some(alteredOf);
    const titles = ["Parameter", "Type", "Range", ...(conditions ? ["Active when"] : []), ...(altered ? ["Altered"] : [])];
    return el("div", { class: "scroll" }, el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, titles.map((c) => el("th", { scope: "col" }, c)))),
        el("tbody", {}, list.map((p) => el("tr", {},
            el("th", { scope: "row" }, nameOf(p.name, 40)), el("td", {}, p.type), el("td", { class: "wrap" }, rangeOf(p)),
            conditions ? el("td", { class: "wrap" }, whenOf(p)) : null,
            altered ? el("td", { class: "wrap" }, alteredOf(p) || "–") : null)))));
}

/** The constraints that every point satisfies. */
const constraints = (list) => (list?.length ? [
    el("h3", {}, "Constraints"), el("ul", { class: "constraints" }, list.map((text) => el("li", {}, el("code", {}, text)))),
] : null);

/** What an evaluation costs, if that is an expression. */
const cost = (definition) => (definition.cost
    ? [el("h3", {}, "Cost of an evaluation"), el("p", {}, el("code", {}, definition.cost))] : null);

/** The outputs, if the study has a table of them: those columns that any of them needs. */
function outputs(definition) {
    const list = outputsOf(definition);
    if (list.length === 0) return null;
    const columns = [
        ["Goal", (o) => goalWords(o)], ["Scale", (o) => o.scale],
        ["Reference", (o) => o.reference !== null && number(o.reference, 8)],
        ["Computed as", (o) => o.of],
    ].filter(([, cell]) => list.some(cell));
    return el("div", { class: "scroll" }, el("table", { class: "grid" },
        el("thead", {}, el("tr", {}, ["Output", ...columns.map(([title]) => title)]
            .map((c) => el("th", { scope: "col" }, c)))),
        el("tbody", {}, list.map((o) => el("tr", {}, el("th", { scope: "row" }, nameOf(o.name, 40)),
            columns.map(([, cell]) => el("td", {}, cell(o) || "–")))))));
}

/** The options that differ from the defaults; all of them if the answer has no defaults. */
function options({ options: all, defaults }) {
    const set = Object.entries(all).filter(([name, v]) => !defaults || String(defaults[name]) !== String(v));
    return [
        el("h3", {}, defaults ? "Options that differ from the defaults" : "Options"),
        set.length ? el("ul", { class: "settings" }, set.map(([name, v]) => el("li", {}, el("span", { class: "soft" }, name),
            el("span", {}, typeof v === "number" ? number(v, 8) : String(v))))) : el("p", { class: "note" }, "None."),
    ];
}

const DURATIONS = ["time", "timeout", "retry_delay", "lease"];

/** A number, or one for each of some outputs. */
const amount = (v) => (typeof v === "object" ? Object.entries(v).map(([name, x]) => `${name} ${number(x, 8)}`).join(", ")
    : number(v, 8));

function plan(all) {
    const set = Object.entries(all ?? {}).filter(([, v]) => v !== null);
    return [el("h3", {}, "Plan"), facts(set.map(([name, v]) =>
        [name.replaceAll("_", " "), DURATIONS.includes(name) ? duration(v) : amount(v)]))];
}

export const definitionParts = (definition) => [
    parameters(definition.parameters), constraints(definition.constraints), cost(definition), outputs(definition),
    plan(definition.plan), options(definition),
    definition.command?.length ? [el("h3", {}, "Command"), el("pre", {}, definition.command.map(quoted).join(" "))]
        : el("p", { class: "note" }, "The study has no command: another program evaluates its trials."),
];
