// pareto.js - the measured trials in the plane of two objectives, with the measured front as stairs and the front by the
// model; of three or four objectives a plot for each pair.
import { extent, pointer, scaleLinear, scaleLog } from "d3";
import { digitsOf } from "../digits.js";
import { interval, number, percent, real } from "../format.js";
import { axisWords, directionOf, feasibleWord } from "../goals.js";
import { axes, key, keyRows } from "./axes.js";
import { clipped } from "./clip.js";
import { cross, square } from "./marks.js";
import { fitAcross, fitUp, roomBeside } from "./ticks.js";
import { hideTip, showTip } from "./tip.js";

const NARROW = 560, REACH = 30, ROOM = 0.06;

// ---- the numbers

/** The answer of /api/pareto as rows {trial, feasible, front, at: {objective: value}}; those that lack a value left out. */
export function measuredRows({ objectives, columns: c }) {
    return c.trial.map((trial, i) => ({
        trial, feasible: c.feasible[i], front: c.front[i],
        at: Object.fromEntries(objectives.map(({ name }) => [name, real(c.values[name][i])])),
    })).filter(({ at }) => Object.values(at).every(Number.isFinite));
}

/** The front by the model as rows {trial, params, feasible, at: {objective: mean}, span: {objective: [low, high] or
 *  null}}. */
export function believedRows({ objectives, believed }) {
    const each = (pick) => Object.fromEntries(objectives.map(({ name }) => [name, pick(name)]));
    return believed.map(({ trial, params, feasible, outputs }) => ({
        trial, params, feasible, outputs, believed: true, at: each((name) => real(outputs[name]?.mean)),
        span: each((name) => (outputs[name]?.interval ? outputs[name].interval.map(real) : null)),
    })).filter(({ at }) => Object.values(at).every(Number.isFinite));
}

/** Whether a value is better than another, or as good. */
const asGood = (objective) => (directionOf(objective) === "maximize" ? (a, b) => a >= b : (a, b) => a <= b);

/** Whether the reference point is known: without it there is no hypervolume. */
export const isReferenced = ({ objectives, reference }) => objectives
    .every(({ name }) => Number.isFinite(real(reference?.[name])));

/** Whether a row is not worse than the reference point in any objective. */
const isWithin = ({ objectives, reference }) => ({ at }) => objectives.every((objective) => {
    const bound = real(reference?.[objective.name]);
    return Number.isNaN(bound) || asGood(objective)(at[objective.name], bound);
});

/** Where an axis must reach: all values; or if `near`, the points of the fronts that are better than the reference point,
 *  with half as much again towards the worse. */
function endsOf(objective, data) {
    const { measured, believed, reference, near } = data, { name } = objective, at = (rows) => rows.map((r) => r.at[name]);
    const spans = believed.flatMap((r) => r.span[name] ?? []), bound = real(reference?.[name]);
    const front = at([...measured.filter((r) => r.front), ...believed].filter(isWithin(data)));
    if (!near || front.length === 0)
        return extent([...at(measured), ...at(believed), ...spans, bound].filter(Number.isFinite));
    const [low, high] = extent(front), more = 0.5 * (high - low) || 0.1 * Math.abs(high) || 1;
    const worse = directionOf(objective) === "maximize" ? [low - more, high] : [low, high + more];
    return worse.map((v) => (objective.log && v <= 0 ? low / 2 : v));
}

/** A scale for an objective, with a little room; logarithmic where the output's scale is and all is positive. */
function scaleOf(objective, data, pixels) {
    let [low, high] = endsOf(objective, data);
    if (low === undefined) [low, high] = [0, 1];
    if (objective.log && low > 0) {
        const room = (high / low) ** ROOM > 1 ? (high / low) ** ROOM : 1.1;
        return scaleLog([low / room, high * room], pixels);
    }
    const room = ROOM * (high - low) || 0.1 * Math.max(1, Math.abs(low));
    return scaleLinear([low - room, high + room], pixels).nice();
}

// ---- one plot

/** The measured front as stairs from one edge of the plot to the other, {line, area}: the area ends at the reference
 *  point. */
function stairs([x, y], { measured, reference }, X, Y) {
    const best = asGood(x), rows = measured.filter((r) => r.front)
        .sort((a, b) => (a.at[x.name] === b.at[x.name] ? 0 : best(a.at[x.name], b.at[x.name]) ? -1 : 1));
    if (rows.length === 0) return null;
    const worst = (objective, scale) => (directionOf(objective) === "maximize" ? Math.min : Math.max)(...scale.domain());
    const ends = [worst(x, X), worst(y, Y)], bounds = [x, y].map(({ name }, i) => {
        const bound = real(reference?.[name]);
        return Number.isFinite(bound) ? bound : ends[i];
    });
    const path = ([endX, endY], keep) => `M${X(keep(x, rows[0].at[x.name], endX))},${Y(endY)}${rows.map((r) =>
        `H${X(keep(x, r.at[x.name], endX))}V${Y(keep(y, r.at[y.name], endY))}`).join("")}H${X(endX)}`;
    return {
        line: path(ends, (_, v) => v),
        area: `${path(bounds, (objective, v, end) => (asGood(objective)(v, end) ? v : end))}V${Y(bounds[1])}Z`,
    };
}

/** How a measured trial looks: class and shape. */
const LOOKS = {
    front: { class: "best dots", mark: "dot", shape: (x, y) => `M${x - 4.5},${y}a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0` },
    feasible: { class: "value dots", mark: "dot", shape: (x, y) => `M${x - 3},${y}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0` },
    unknown: { class: "value ring", mark: "ring", shape: (x, y) => `M${x - 3},${y}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0` },
    violating: { class: "violating", mark: "square", shape: (x, y) => square(x, y, 3.2) },
};

/** Without constraints every trial is as good as feasible. */
const lookOf = (row, constrained) => (row.front ? "front" : row.feasible === false ? "violating"
    : row.feasible === null && constrained ? "unknown" : "feasible");

function drawMeasured(g, [x, y], { measured, constrained }, X, Y) {
    for (const name of ["violating", "unknown", "feasible", "front"]) { // the front on top
        const rows = measured.filter((r) => lookOf(r, constrained) === name);
        const at = (r) => LOOKS[name].shape(X(r.at[x.name]), Y(r.at[y.name]));
        g.append("path").attr("class", LOOKS[name].class).attr("d", rows.map(at).join("") || null);
    }
}

/** A cross as wide and as high as its intervals. */
function drawBelieved(g, [x, y], { believed }, X, Y, thin) {
    const beyond = (scale) => (v) => (Number.isFinite(v) ? scale(v) : scale.range()[v > 0 ? 1 : 0]);
    const arms = believed.map((r) => {
        const [a, b] = r.span[x.name]?.map(beyond(X)) ?? [], [c, d] = r.span[y.name]?.map(beyond(Y)) ?? [];
        const [px, py] = [X(r.at[x.name]), Y(r.at[y.name])];
        return `${a === undefined ? "" : `M${a},${py}H${b}`}${c === undefined ? "" : `M${px},${c}V${d}`}`;
    });
    g.append("path").attr("class", `recommended arms${thin ? " thin" : ""}`).attr("d", arms.join("") || null);
    g.selectAll(null).data(believed).join("path").attr("class", "recommended bold").attr("d", cross(4))
        .attr("transform", (r) => `translate(${X(r.at[x.name])},${Y(r.at[y.name])})`);
}

function drawReference(g, pair, { reference }, X, Y, box) {
    const [px, py] = pair.map(({ name }, i) => [X, Y][i](real(reference?.[name])));
    if (Number.isFinite(px)) g.append("line").attr("class", "target")
        .attr("x1", px).attr("x2", px).attr("y1", box.y).attr("y2", box.y + box.height);
    if (Number.isFinite(py)) g.append("line").attr("class", "target")
        .attr("x1", box.x).attr("x2", box.x + box.width).attr("y1", py).attr("y2", py);
    if (Number.isFinite(px) && Number.isFinite(py)) g.append("path").attr("class", "reference")
        .attr("d", "M0,-6L6,0L0,6L-6,0Z").attr("transform", `translate(${px},${py})`);
}

const believedWords = (row, objectives, digits) => [
    row.trial === null ? "Believed front: not evaluated yet" : `Believed front: trial ${row.trial}`,
    ...objectives.map(({ name }) => `${name} ${number(row.at[name], digits[name])}`
        + (row.span[name] ? ` (${interval(row.span[name])})` : "")),
    row.feasible === null || row.feasible === undefined ? null : `feasible with probability ${percent(real(row.feasible))}`,
];
const measuredWords = (row, objectives, digits) => [
    `Trial ${row.trial}`, ...objectives.map(({ name }) => `${name} ${number(row.at[name], digits[name])}`),
    feasibleWord(row.feasible), row.front ? "on the measured front" : null,
];

/** A tooltip of the point nearest to the pointer; a click opens its trial. */
function listen(g, pair, { measured, believed, objectives, open }, X, Y, box) {
    const all = [...believed, ...measured], digits = Object.fromEntries(objectives.map(({ name }) => [
        name, digitsOf(all.map((r) => r.at[name]), 5)]));
    const pixels = (r) => [X(r.at[pair[0].name]), Y(r.at[pair[1].name])];
    const inside = ([px, py]) => px >= box.x && px <= box.x + box.width && py >= box.y && py <= box.y + box.height;
    const nearest = ([px, py]) => {
        let found = null, least = REACH * REACH;
        for (const row of all) {
            const at = pixels(row), d = (at[0] - px) ** 2 + (at[1] - py) ** 2;
            if (d < least && inside(at)) [found, least] = [row, d];
        }
        return found;
    };
    const near = g.append("circle").attr("class", "near").attr("r", 7.5).attr("display", "none");
    const leave = () => {
        near.attr("display", "none");
        hideTip();
    };
    g.append("rect").attr("class", "hit").attr("x", box.x).attr("y", box.y)
        .attr("width", box.width).attr("height", box.height)
        .on("pointermove", (event) => {
            const row = nearest(pointer(event));
            if (!row) return leave();
            const [cx, cy] = pixels(row);
            near.attr("display", null).attr("cx", cx).attr("cy", cy);
            showTip(event, (row.believed ? believedWords : measuredWords)(row, objectives, digits).filter(Boolean));
        })
        .on("pointerleave", leave)
        .on("click", (event) => {
            const row = nearest(pointer(event));
            if (row?.trial) open(row.trial);
        });
}

/** One plot with the objective x across and y up, in a group of this size. */
function drawPlot(g, pair, { data, width, height, margin, small }) {
    const box = {
        x: margin.left, y: margin.top,
        width: width - margin.left - margin.right, height: height - margin.top - margin.bottom,
    };
    const [x, y] = pair, X = scaleOf(x, data, [box.x, box.x + box.width]);
    const Y = scaleOf(y, data, [box.y + box.height, box.y]);
    axes(g, {
        x: X, y: Y, width, height, margin,
        xLabel: axisWords(x, { arrow: true }), yLabel: axisWords(y, { arrow: true }),
        xTicks: Math.max(2, Math.floor(box.width / 70)),
    });
    fitAcross(g, X);
    fitUp(g, Y, margin.left - 24);
    const plot = clipped(g, box), steps = data.objectives.length === 2 ? stairs(pair, data, X, Y) : null;
    if (steps && isReferenced(data)) plot.append("path").attr("class", "dominated").attr("d", steps.area);
    drawReference(plot, pair, data, X, Y, box);
    if (steps) plot.append("path").attr("class", "best step").attr("d", steps.line);
    const above = clipped(g, { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 });
    drawMeasured(plot, pair, data, X, Y);
    drawBelieved(data.near ? plot : above, pair, data, X, Y, small);
    listen(g, pair, data, X, Y, box);
}

// ---- all plots

/** Pairs [across, up]: one of two objectives, a triangle of more. */
const pairsOf = (objectives) => objectives.slice(1).flatMap((up, row) => objectives.slice(0, row + 1)
    .map((across, column) => ({ pair: [across, up], row, column })));

/** How the plots are laid out: side by side as a triangle, or in one column where there is no room. */
function layoutOf(width, objectives) {
    const plots = pairsOf(objectives), side = objectives.length - 1;
    if (side === 1) return { plots, columns: 1, high: Math.max(300, Math.min(0.62 * width, 560)) };
    if (width < NARROW) return { plots: plots.map((p, i) => ({ ...p, row: i, column: 0 })), columns: 1, high: 260 };
    return { plots, columns: side, high: Math.max(200, Math.min(300, (0.8 * width) / side)) };
}

function keyOf({ measured, believed, constrained, reference, level, objectives }) {
    const any = (name) => measured.some((r) => lookOf(r, constrained) === name);
    const entry = (name, text) => any(name) && { mark: LOOKS[name].mark, class: LOOKS[name].class, text };
    return [
        entry("front", "measured front"),
        any("front") && objectives.length === 2 && { mark: "line", class: "best step", text: "edge of what it dominates" },
        entry("feasible", constrained ? "feasible trial" : "trial"),
        entry("unknown", "trial, feasibility unknown"), entry("violating", "breaks a constraint"),
        believed.length > 0 && {
            mark: "cross", class: "recommended bold", text: `believed front${level ? `, intervals ${percent(level)}` : ""}`,
        },
        Object.values(reference ?? {}).some((v) => v !== null)
            && { mark: "diamond", class: "reference", text: "reference point" },
    ].filter(Boolean);
}
const topOf = (width, data) => 5 + 17 * keyRows(keyOf(data), width - 20);
export const paretoHeight = (width, data) => {
    const { plots, high } = layoutOf(width, data.objectives);
    return topOf(width, data) + high * (Math.max(...plots.map((p) => p.row)) + 1);
};

/** data {objectives [{name, goal, log}], measured, believed: rows, reference {name: number or null}, level, near: only about
 *  the fronts, constrained: whether the study has constraints, open(trial)} */
export function drawPareto(svg, { width, data }) {
    const { plots, columns, high } = layoutOf(width, data.objectives), wide = width / columns;
    const top = key(svg, keyOf(data), 10, 10, width - 20) + 12;
    const left = Math.max(...data.objectives.slice(1).map((o) => roomBeside(scaleOf(o, data, [high - 50, 0]))));
    const margin = { top: 8, right: 14, bottom: 44, left };
    for (const { pair, row, column } of plots) {
        const g = svg.append("g").attr("transform", `translate(${column * wide},${top + row * high})`);
        drawPlot(g, pair, { data, width: wide, height: high, margin, small: columns > 1 });
    }
}

/** How many measured trials lie outside what is drawn. */
export const hiddenCount = (data) => data.measured.filter(({ at }) => data.objectives.some((objective) => {
    const [low, high] = scaleOf(objective, data, [0, 1]).domain();
    return at[objective.name] < low || at[objective.name] > high;
})).length;

export const paretoTable = ({ objectives, measured, believed }) => ({
    columns: ["trial", "kind", "feasible", ...objectives.flatMap(({ name }) => [name, `${name} low`, `${name} high`])],
    rows: [
        ...measured.map((r) => [r.trial, r.front ? "measured front" : "measured", r.feasible,
            ...objectives.flatMap(({ name }) => [r.at[name], null, null])]),
        ...believed.map((r) => [r.trial, "believed front", real(r.feasible),
            ...objectives.flatMap(({ name }) => [r.at[name], ...(r.span[name] ?? [null, null])])]),
    ],
});
