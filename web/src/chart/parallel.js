// parallel.js - every trial as a line across an axis for each parameter and one for its value; brushing keeps ranges.
import { axisLeft, brushY, line, scaleLinear, scalePoint } from "d3";
import { digitsOf } from "../digits.js";
import { number } from "../format.js";
import { short } from "../names.js";
import { failedWord, hasWords, isActive, isFailed, unit } from "../points.js";
import { key, numberScale, parameterScale } from "./axes.js";
import { trialLines } from "./marks.js";
import { colourBar, standing } from "./ramp.js";
import { roomBeside, tickPlan } from "./ticks.js";
import { hideTip, showTip } from "./tip.js";

/** The axis of the values among those of the parameters; no parameter can be called so. */
export const VALUE = "\u0000value";
const BOTTOM = 34, SLOT = 20;

export const parallelHeight = (width) => (width < 600 ? 380 : 430);

/** Where a value lies on its axis, 0 to 1; categories lie half a step inside it. */
const along = (parameter, value) => {
    const t = unit(parameter, value), count = parameter.values?.length;
    return count > 1 ? (t * (count - 1) + 0.5) / count : t;
};

/** [{name, label, position(row): 0 at the low end to 1, NaN if none, parameter or null}]; `output`: what the value is
 *  called. */
export function axesOf(parameters, rows, output = "value") {
    const numbers = numberScale(rows.map((r) => r.value), [0, 1], 0);
    return [
        ...parameters.map((parameter) => ({
            name: parameter.name, label: parameter.name, parameter,
            position: (row) => along(parameter, row.params[parameter.name]),
        })),
        { name: VALUE, label: output, parameter: null, domain: numbers.domain(), position: (row) => numbers(row.value) },
    ];
}

/** Whether a row lies in all brushed ranges, {name: [low, high] of positions}. */
export const within = (axes, ranges) => (row) => axes.every(({ name, position }) => {
    const range = ranges.get(name);
    if (!range) return true;
    const at = position(row);
    return at >= range[0] - 1e-9 && at <= range[1] + 1e-9;
});

const scaleOf = ({ parameter, domain }, pixels) => (parameter ? parameterScale(parameter, pixels)
    : scaleLinear(domain, pixels));
const wantedOf = ({ parameter }) => (parameter?.type === "int" ? Math.min(6, parameter.high - parameter.low) : 5);

/** The ticks that fit beside the next axis `step` pixels away, {ticks, more: what the name has to add}: if it is tight,
 *  those of both ends. */
function ticksOf(axis, scale, step, tight) {
    const ticks = axisLeft(scale).tickSize(4).tickSizeOuter(0), { values, text, more } = tickPlan(scale, wantedOf(axis));
    const cut = (v) => short(v, Math.max(3, Math.floor((tight ? step - 8 : step / 2) / 6.2)));
    if (!scale.ticks) return { ticks: ticks.tickFormat(cut), more };
    if (tight) return { ticks: ticks.tickValues(scale.domain()).tickFormat((v) => number(v, 3)), more: "" };
    return { ticks: ticks.tickValues(values).tickFormat(text), more };
}

/** The name of an axis, cut to its room: the first and the last one's begins or ends at the edge of the picture. */
function drawName(group, { label, more }, { x, step, tight, isFirst, isLast, y }) {
    const room = isFirst ? x - 4 + step / 2 : isLast ? Math.max(40, step / 2) : step - 10;
    const least = Math.max(3, Math.min(40, Math.floor(room / 7.4)) - more.length), words = short(label, least);
    const half = 3.7 * (words.length + more.length), edge = isFirst && half > x;
    group.append("text").attr("class", "axis-name").attr("y", y).attr("x", isLast ? 8 : edge ? 4 - x : 0)
        .attr("text-anchor", isLast ? "end" : edge ? "start" : "middle")
        .text([words, tight ? "" : more].filter(Boolean).join(", ")).append("title").text(label);
}

function drawAxis(g, axis, { x, step, top, bottom, isFirst, isLast }) {
    const scale = scaleOf(axis, [bottom, top]);
    const tight = step < 78, anchor = isLast ? "end" : "middle", { ticks, more } = ticksOf(axis, scale, step, tight);
    const group = g.append("g").attr("class", "axis parallel").attr("transform", `translate(${x},0)`).call(ticks);
    if (tight) // one below the foot of the axis, one above its head
        group.selectAll("text").attr("x", 0).attr("text-anchor", anchor)
            .attr("dy", (_, i) => (scale.ticks ? ["1.3em", "-0.5em"][i] : "0.3em"));
    drawName(group, { ...axis, more }, { x, step, tight, isFirst, isLast, y: top - (tight ? 22 : 12) });
    group.selectAll("text").attr("paint-order", "stroke"); // an attribute, so that it is in the saved picture
}

/** A trial that broke a constraint is dotted, one without a value dashed. */
const kindOf = (row) => (isFailed(row) ? " failed" : row.feasible === false ? " broken" : "");

function drawLines(svg, { rows, axes, pixelOf, colour, best, open, output }) {
    const path = line(), shape = (row) => path(axes.map((axis) => pixelOf(axis, row)));
    const g = svg.append("g").attr("class", `trial-lines${rows.length > 150 ? " many" : ""}`);
    const digits = digitsOf(rows.map((r) => r.value));
    g.selectAll("path").data(rows).join("path").attr("d", shape)
        .attr("class", (r) => `trial-line${kindOf(r)}${r === best ? " topmost" : ""}`)
        .attr("stroke", (r) => (isFailed(r) || r === best ? null : colour(r.value)))
        .on("pointerenter pointermove", (event, row) => showTip(event, trialLines(row, digits, output)))
        .on("pointerleave", hideTip)
        .on("click", (_, row) => {
            hideTip();
            open(row);
        });
    if (best) g.insert("path", ".topmost").datum(best).attr("class", "trial-line halo").attr("d", shape);
    return g.selectAll("path");
}

function drawBrush(g, axis, { x, top, bottom, ranges, changed, dragging }) {
    const brush = brushY().extent([[-10, top], [10, bottom]]).handleSize(8);
    const part = (p) => (bottom - p) / (bottom - top), pixel = (t) => bottom - t * (bottom - top);
    const group = g.append("g").attr("class", "brush").attr("transform", `translate(${x},0)`).call(brush);
    const range = ranges.get(axis.name);
    if (range) group.call(brush.move, [pixel(range[1]), pixel(range[0])]);
    brush.on("start brush end", ({ type, selection, sourceEvent }) => {
        if (!sourceEvent) return;
        dragging(type !== "end");
        if (selection) ranges.set(axis.name, [part(selection[1]), part(selection[0])]);
        else ranges.delete(axis.name);
        changed();
    });
}

/** Room for the ticks of the first axis; it has no label beside it. */
const besideFirst = (axis) => (axis.parameter && hasWords(axis.parameter) ? 46 : roomBeside(scaleOf(axis, [300, 0]), 5) - 16);

/** data {parameters, rows: worst first, the best trial last, best: its number, direction, ranges: a Map that
 *  brushing changes, changed(): called then, dragging(whether): while a brush is dragged, open(row): of a click,
 *  output: what the value is called, side: which values are good, in words, or null, bounded: whether there are
 *  constraints} */
export function drawParallel(svg, { width, height, data }) {
    const { rows, direction, ranges, changed, dragging, open, output } = data;
    const axes = axesOf(data.parameters, rows, output), label = [short(output, 22), data.side].filter(Boolean).join(", ");
    const complete = rows.filter((r) => !isFailed(r)), best = rows.find((r) => r.trial === data.best);
    const colour = standing(complete.map((r) => r.value), direction);
    const narrow = width < 480, left = narrow ? 24 : Math.max(46, besideFirst(axes[0])), right = 22;
    const top = narrow ? 130 : 96, bottom = height - BOTTOM;
    if (complete.length)
        colourBar(svg, { colour, x: 14, y: 8, width: Math.min(320, width - 30), label });
    key(svg, keyOf(rows, best), narrow ? 14 : 366, narrow ? 64 : 24, width - 14);
    const X = scalePoint(axes.map((a) => a.name), [left, width - right]);
    const pixelOf = (axis, row) => {
        const t = axis.position(row);
        return [X(axis.name), Number.isFinite(t) ? bottom - t * (bottom - top) : bottom + SLOT];
    };
    const lines = drawLines(svg, { rows, axes, pixelOf, colour, best, open, output });
    const isIn = within(axes, ranges), mark = () => lines.classed("out", (row) => !isIn(row));
    axes.forEach((axis, i) => {
        const here = { x: X(axis.name), step: X.step(), top, bottom, isFirst: i === 0, isLast: i === axes.length - 1 };
        drawAxis(svg, axis, here);
        drawBrush(svg, axis, { ...here, ranges, dragging, changed: () => { mark(); changed(); } });
    });
    if (rows.length > complete.length)
        svg.append("text").attr("class", "slot").attr("text-anchor", "end").text("no value")
            .attr("x", width - right).attr("y", bottom + SLOT + 12);
    if (rows.some((row) => data.parameters.some(({ name }) => !isActive(row.params[name]))))
        svg.append("text").attr("class", "slot").text("not active").attr("x", 4).attr("y", bottom + SLOT + 12);
    mark();
}
const keyOf = (rows, best) => [
    best && { mark: "line", class: "trial-line topmost", text: `best measurement, trial ${best.trial}` },
    rows.some((r) => kindOf(r) === " broken") && { mark: "line", class: "trial-line broken", text: "breaks a constraint" },
    rows.some(isFailed) && { mark: "line", class: "trial-line failed", text: failedWord(rows) },
].filter(Boolean);

export const parallelTable = ({ parameters, chosen, output, bounded }) => ({
    columns: ["trial", "state", ...parameters.map((p) => p.name), output, ...(bounded ? ["feasible"] : [])],
    rows: chosen().map((r) => [r.trial, r.state, ...parameters.map((p) => r.params[p.name]), r.value,
        ...(bounded ? [r.feasible] : [])]),
});
