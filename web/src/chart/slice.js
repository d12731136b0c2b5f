// slice.js - predictions along each parameter, the others fixed: small plots side by side.
import { area, line } from "d3";
import { digitsOf } from "../digits.js";
import { interval, number, real, value as words } from "../format.js";
import { feasibleWord } from "../goals.js";
import { discrete, hasWords, isActive, spread } from "../points.js";
import { axes, key, numberScale, parameterScale } from "./axes.js";
import { clipped } from "./clip.js";
import { across, cross, isNear, square } from "./marks.js";
import { numbersOf } from "./quantity.js";
import { span } from "./ramp.js";
import { nearest, hover } from "./hover.js";
import { fitAcross, roomBeside, wantedTicks } from "./ticks.js";
import { tips } from "./tip.js";

const WIDE = 250, SPREAD = 12, MARGIN = { top: 8, right: 12, bottom: 44, left: 58 }; // more to the left if ticks are wide

// ---- how much room

const columnsOf = (width, count) => (count < 3 && width < 800 ? 1
    : Math.max(1, Math.min(count, 3, Math.floor(width / WIDE))));
const highOf = (count) => (count === 1 ? 380 : count === 2 ? 268 : 216);
const keyLines = (width, entries) => Math.ceil(
    entries.reduce((sum, { text }) => sum + 40 + 6.4 * text.length, 0) / (width - MARGIN.left - 60));

export const slicesHeight = (width, data) => 8 + 17 * keyLines(width, keyOf(data))
    + highOf(data.slices.length) * Math.ceil(data.slices.length / columnsOf(width, data.slices.length));

// ---- the numbers

/** A slice as rows: where, the quantity shown, and all that is believed there. */
function rowsOf(slice, quantity) {
    const shown = numbersOf(slice, quantity), at = (name, i) => real(slice[name]?.[i]);
    return slice.grid.map((where, i) => ({
        at: where, shown: shown ? shown[i] : NaN, mean: at("mean", i), sd: at("sd_f", i),
        f: [at("f_low", i), at("f_high", i)], y: [at("y_low", i), at("y_high", i)],
        threshold: at("threshold", i), acquisition: at("acquisition", i), success: at("success", i),
        feasible: at("feasible", i),
    }));
}

/** Whether a set is not empty. */
const there = ([low, high]) => low <= high;

/** The scale of some slices: what is believed, and the trials that are near enough to matter. */
function scaleOf(slices, { quantity, points, centre }, pixels) {
    const rows = slices.flatMap((slice) => rowsOf(slice, quantity.name));
    if (["success", "feasible"].includes(quantity.name)) return numberScale([0, 1], pixels, 0.02);
    if (quantity.name !== "mean") {
        const ends = span(rows.map((r) => r.shown), quantity.clip ?? 0, quantity.least ?? 0);
        return numberScale(quantity.name === "threshold" ? [...ends, centre] : ends, pixels, 0.05, quantity.floor);
    }
    const near = slices.flatMap(({ parameter }) => points[parameter.name].filter((p) => p.fade > 0.3));
    const all = [...rows.flatMap((r) => [r.mean, ...r.f, ...r.y]), ...near.map((p) => p.value)].filter(Number.isFinite);
    const [{ bound }] = slices;
    return numberScale(isNear(bound, all) ? [...all, bound] : all, pixels);
}

/** Pixels of a number, infinite ones beyond the plot. */
const pixelOf = (Y) => (v) => (Number.isFinite(v) ? Y(v) : v > 0 ? Y.range()[1] - 50 : Y.range()[0] + 50);

// ---- one plot

const SETS = [{ name: "y", class: "band", part: 1 }, { name: "f", class: "band inner", part: 0.6 }];

function drawBands(g, rows, X, Y) {
    for (const set of SETS) {
        const shape = area().defined((r) => there(r[set.name]))
            .x((r) => X(r.at)).y0((r) => Y(r[set.name][0])).y1((r) => Y(r[set.name][1]));
        g.append("path").attr("class", `${set.class} area`).attr("d", shape(rows));
    }
}

/** Values one by one: a bar for each set. */
function drawBars(g, rows, X, Y, wide) {
    for (const { name, class: kind, part } of SETS)
        g.append("g").selectAll("rect").data(rows.filter((r) => there(r[name]))).join("rect").attr("class", kind)
            .attr("x", (r) => X(r.at) - wide * part / 2).attr("width", wide * part)
            .attr("y", (r) => Y(r[name][1])).attr("height", (r) => Y(r[name][0]) - Y(r[name][1]));
}

function drawCurve(g, rows, X, Y, kind) {
    const shape = line().defined((r) => !Number.isNaN(r.shown)).x((r) => X(r.at)).y((r) => Y(r.shown));
    g.append("path").attr("class", kind).attr("d", shape(rows));
}

function drawStrokes(g, rows, X, Y, kind, wide) {
    g.append("g").selectAll("path").data(rows.filter((r) => !Number.isNaN(r.shown))).join("path").attr("class", kind)
        .attr("d", (r) => `M${X(r.at) - wide / 2},${Y(r.shown)}h${wide}`);
}


/** All that is believed at one point of a slice, line by line. */
const beliefLines = (name, r, digits, output) => [
    `${name} = ${words(r.at)}`, `${output ? `${output} ` : ""}mean ${number(r.mean, digits)}, sd ${number(r.sd, 3)}`,
    `f ${interval(r.f)}`, `measurement ${interval(r.y)}`,
    !Number.isNaN(r.threshold) && `threshold ${number(r.threshold, 3)}`,
    !Number.isNaN(r.acquisition) && `acquisition ${number(r.acquisition, 4)}`,
    r.success < 1 && `success ${number(100 * r.success, 3)} %`,
    !Number.isNaN(r.feasible) && `feasible with probability ${number(100 * r.feasible, 3)} %`,
].filter(Boolean);

function drawTrials(g, points, parameter, X, Y, { best, output }) {
    const { name } = parameter, digits = digitsOf(Y.domain());
    const x = ({ params, trial }) => X(params[name]) + (trial === best?.trial ? 0 : spread(parameter, trial, SPREAD));
    const dots = g.append("g").selectAll("circle").data(points).join("circle").attr("class", "trial-dot").attr("r", 2.8)
        .attr("cx", x).attr("cy", (d) => Y(d.value)).attr("opacity", (d) => d.fade);
    g.append("g").selectAll("path").data(points.filter((d) => d.feasible === false)).join("path")
        .attr("class", "violating around").attr("d", (d) => square(x(d), Y(d.value), 4.5)).attr("opacity", (d) => d.fade);
    tips(dots, (d) => [`Trial ${d.trial}`, `${output ?? "value"} ${number(d.value, digits)}`,
        `${name} = ${words(d.params[name])}`, feasibleWord(d.feasible)].filter(Boolean));
    if (!best || !isActive(best.params[name])) return;
    g.append("circle").attr("class", "best-ring").attr("r", 5.5).attr("cx", x(best)).attr("cy", Y(real(best.value)));
}

/** The point that the slices go through; a cross if it is the recommended one. */
function drawHeld(g, { at, parameter: { name } }, rows, X, Y, box) {
    if (!isActive(at.params[name])) return;
    const x = X(at.params[name]), y = Y(nearest(rows, (r) => X(r.at), x).shown);
    g.append("line").attr("class", "held").attr("x1", x).attr("x2", x).attr("y1", box.y).attr("y2", box.y + box.height);
    if (at.what === "recommended" && Number.isFinite(y))
        g.append("path").attr("class", "recommended bold").attr("transform", `translate(${x},${y})`).attr("d", cross(5));
}

function drawPanel(g, slice, { data, Y, width, height, margin, first }) {
    const { quantity, centre, best, points } = data, { parameter } = slice;
    const few = discrete(parameter), isMean = quantity.name === "mean";
    const box = {
        x: margin.left, y: margin.top,
        width: width - margin.left - margin.right, height: height - margin.top - margin.bottom,
    };
    const room = few && !hasWords(parameter) ? Math.min(16, box.width / (2 * slice.grid.length)) : 0;
    const X = parameterScale(parameter, [box.x + room, box.x + box.width - room]), toY = pixelOf(Y);
    const rows = rowsOf(slice, quantity.name), kind = `curve of-${quantity.name}`;
    const wide = Math.min(22, 0.7 * box.width / slice.grid.length), digits = digitsOf(rows.map((r) => r.mean));
    axes(g, {
        x: X, y: Y, width, height, margin, xLabel: parameter.name, yLabel: first ? data.axis : "",
        xTicks: wantedTicks(parameter, box.width, 60),
    });
    fitAcross(g, X);
    const plot = clipped(g, box), above = clipped(g, { ...box, x: box.x - 7, width: box.width + 14 });
    if (isMean && few) drawBars(plot, rows, X, toY, wide);
    else if (isMean) drawBands(plot, rows, X, toY);
    if (quantity.name === "threshold") across(plot, box, Y(centre)).attr("class", "target");
    if (!few) drawCurve(plot, rows, X, toY, kind);
    hover(plot, { box, rows, position: (r) => X(r.at), lines: (r) => beliefLines(parameter.name, r, digits, slice.output) });
    if (isMean && hasBound(slice)) across(plot, box, Y(slice.bound)).attr("class", "bound");
    if (isMean) drawTrials(above, points[parameter.name], parameter, X, Y, { best, output: slice.output });
    if (few) drawStrokes(above, rows, X, toY, kind, wide);
    drawHeld(above, slice, rows, X, toY, box);
}

// ---- all of them

const hasBound = ({ bound }) => bound !== null && bound !== undefined;

function keyOf({ quantity, level, slices, best, centre, points, goal, middle }) {
    const share = `${Math.round(100 * level)} %`, isMean = quantity.name === "mean";
    return [
        { mark: "line", class: `curve of-${quantity.name}`, text: quantity.label },
        isMean && { mark: "band", class: "band inner", text: `f, ${share}` },
        isMean && { mark: "band", class: "band", text: `a measurement, ${share}` },
        isMean && { mark: "dot", class: "trial-dot", text: "measured" },
        isMean && Object.values(points).some((list) => list.some((p) => p.feasible === false))
            && { mark: "square", class: "violating", text: "breaks a constraint" },
        isMean && hasBound(slices[0]) && { mark: "line", class: "bound", text: goal },
        isMean && best && { mark: "ring", class: "best-ring", text: "best measured" },
        quantity.name === "threshold"
            && { mark: "line", class: "target", text: `the model alone, λ = ${number(centre, 3)}` },
        slices.some(({ at }) => at.what === "recommended")
            ? { mark: "cross", class: "recommended bold", text: middle ? "middle of the front" : "recommended" }
            : { mark: "line", class: "held", text: "the point held" },
    ].filter(Boolean);
}

/** Whether somewhere the set of f is wider than that of a measurement. */
export const hasWiderF = (slices) => slices.some(({ f_low: a, f_high: b, y_low: c, y_high: d }) => a.some((_, i) => (
    (real(b[i]) - real(a[i])) > (real(d[i]) - real(c[i])) * 1.002 && real(d[i]) > real(c[i]))));

/** data {slices: answers of /api/slice, quantity: of quantity.js with its name, points: rows with `fade` by parameter,
 *  level, centre: the threshold of the model alone, best: a choice or null, axis: the label of the vertical axes, own:
 *  whether each plot has a scale of its own} */
export function drawSlices(svg, { width, height, data }) {
    const { slices } = data, columns = columnsOf(width, slices.length), wide = width / columns, high = highOf(slices.length);
    const top = height - high * Math.ceil(slices.length / columns), pixels = [high - MARGIN.bottom, MARGIN.top];
    const common = data.own ? null : scaleOf(slices, data, pixels);
    const scales = slices.map((slice) => common ?? scaleOf([slice], data, pixels));
    const margin = { ...MARGIN, left: Math.max(...scales.map((Y) => roomBeside(Y))) };
    key(svg, keyOf(data), margin.left, 10, width - margin.left - 8);
    slices.forEach((slice, i) => {
        const column = i % columns, row = Math.floor(i / columns);
        const g = svg.append("g").attr("transform", `translate(${column * wide},${top + row * high})`);
        drawPanel(g, slice, { data, Y: scales[i], width: wide, height: high, margin, first: column === 0 });
    });
}

export const slicesTable = ({ slices }) => ({
    columns: ["parameter", "at", "mean", "sd of f", "f low", "f high", "y low", "y high", "threshold", "acquisition",
        "success", ...(slices[0].feasible ? ["feasible"] : [])],
    rows: slices.flatMap((slice) => rowsOf(slice, "mean").map((r) => [
        slice.parameter.name, r.at, r.mean, r.sd, ...r.f, ...r.y, r.threshold, r.acquisition, r.success,
        ...(slice.feasible ? [r.feasible] : [])])),
});
