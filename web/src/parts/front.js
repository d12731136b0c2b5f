// front.js - the points of a Pareto front as a table: measured values, or what is believed of them.
import { digitsOf } from "../digits.js";
import { el } from "../dom.js";
import { interval, number, percent, plural, real, valueIn } from "../format.js";
import { constraintsOf, modelledOf, objectivesOf } from "../goals.js";
import { nameOf, short } from "../names.js";
import { trialLink } from "./words.js";

const soft = (words) => el("span", { class: "soft" }, words);

/** {title, cell(point), isNumber} of each column; `key`: "value", what was measured, or "mean", what is believed. */
function columnsOf({ definition, ...context }, points, key) {
    const output = ({ name }) => {
        const digits = digitsOf(points.map((p) => real(p.outputs[name]?.[key])), 4, 100);
        const cell = ({ outputs: { [name]: o } }) => (!o || o[key] === null || o[key] === undefined ? soft("–")
            : [number(o[key], digits), key === "mean" && o.interval ? soft(` (${interval(o.interval, 3)})`) : null]);
        return { title: name, cell, isNumber: true };
    };
    const parameter = (p) => ({
        title: p.name, isNumber: !p.values,
        cell: ({ params }) => (p.name in params ? nameOf(valueIn(p, params[p.name]), 24) : "–"),
    });
    const likely = { title: "P(feasible)", isNumber: true, cell: ({ feasible }) => (
        typeof feasible === "number" ? percent(feasible) : soft("–")) };
    return [
        { title: "Trial", cell: ({ trial }) => trialLink(context, trial) ?? soft("not evaluated yet") },
        ...modelledOf(definition).map(output), ...(constraintsOf(definition).length ? [likely] : []),
        ...definition.parameters.map(parameter),
    ];
}

/** From the smallest value of the first objective on. */
const inOrder = (points, { name }, key) => [...points]
    .sort((a, b) => real(a.outputs[name]?.[key]) - real(b.outputs[name]?.[key]));

/** points [{trial, params, outputs: {name: {value, mean, interval}}, feasible}], of which the first `most` are shown. */
export function frontTable(points, key, context, most = Infinity) {
    const [first] = objectivesOf(context.definition), shown = inOrder(points, first, key).slice(0, most);
    const columns = columnsOf(context, shown, key);
    const kind = (c) => (c.isNumber ? "number" : null);
    return [
        most === Infinity ? el("p", { class: "note" },
            `${plural(points.length, "point")}, the smallest ${short(first.name, 40)} first.`) : null,
        el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Points of the front" },
            el("table", { class: "grid" },
                el("thead", {}, el("tr", {},
                    columns.map((c) => el("th", { scope: "col", class: kind(c) }, nameOf(c.title, 24))))),
                el("tbody", {}, shown.map((point) => el("tr", {},
                    columns.map((c) => el("td", { class: kind(c) }, c.cell(point)))))))),
        points.length > shown.length
            ? el("p", { class: "note" }, `${plural(points.length - shown.length, "more point")}: `,
                el("a", { href: context.link("pareto") }, "Pareto")) : null,
    ];
}
