// scatter.js - some parameters against one another, and the value against each of them.
import { select } from "d3";
import { digitsOf } from "../digits.js";
import { short } from "../names.js";
import { failedWord, isActive, isFailed, spread } from "../points.js";
import { axes, key, numberScale, parameterScale } from "./axes.js";
import { cross, square, trialLines } from "./marks.js";
import { colourBar, standing } from "./ramp.js";
import { fitAcross, fitUp, roomBeside, tickPlan, wantedTicks } from "./ticks.js";
import { hideTip, showTip } from "./tip.js";

const GAP = 24, NARROW = 480;

const valuesOf = (rows) => rows.map((r) => r.value).filter(Number.isFinite);

/** Where the plots begin, and how wide and high each is: the first column has the labels to its left. */
function sizeOf(width, { chosen, rows }) {
    const scales = [...chosen.slice(1).map((p) => parameterScale(p, [150, 0])), numberScale(valuesOf(rows), [150, 0])];
    const left = Math.min(0.25 * width, Math.max(...scales.map((Y) => roomBeside(Y, 4))));
    const wide = (width - left - GAP * (chosen.length - 1) - 8) / chosen.length;
    const top = width < NARROW && keyOf(rows).length ? 84 : 70;
    return { left, top, wide, high: Math.max(100, Math.min(190, 0.8 * wide)) };
}
export const scatterHeight = (width, data) => {
    const { top, high } = sizeOf(width, data);
    return top + 40 + high * data.chosen.length;
};

const DOT = "M-2.6,0a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0";

const SQUARE = square(0, 0, 2.6);
/** Whether a trial has values that break a constraint. */
const isBroken = (r) => !isFailed(r) && r.feasible === false;

/** Whole numbers at the ends of their axis keep off its corner. */
const inset = (parameter, [from, to]) => {
    const room = parameter.type === "int" ? 8 * Math.sign(to - from) : 0;
    return [from + room, to - room];
};

/** The name of a parameter below the lowest plot. */
function drawFoot(g, x, more, { middle, y, room }) {
    const name = [short(x.name, Math.max(8, Math.floor(room / 6.9) - more.length)), more].filter(Boolean).join(", ");
    g.append("text").attr("class", "label").attr("x", middle).attr("y", y).attr("text-anchor", "middle").text(name)
        .append("title").text(x.name);
}

/** One plot of the matrix: y is a parameter, or null for the value; `from`: where the plots begin. */
function drawPlot(svg, { x, y, rows, from, left, top, wide, high, edge, foot, colour, values, isIn, output }) {
    const margin = { top: 6, right: 0, bottom: 12, left: from }, xTicks = wantedTicks(x, wide, 46);
    const g = svg.append("g").attr("transform", `translate(${left - from},${top})`);
    const X = parameterScale(x, inset(x, [from, from + wide]));
    const pixels = [high - margin.bottom, margin.top];
    const Y = y ? parameterScale(y, inset(y, pixels)) : numberScale(values, pixels);
    axes(g, {
        x: X, y: Y, width: from + wide, height: high, margin, xLabel: null, yLabel: edge ? y?.name ?? output : null,
        xTicks, yTicks: wantedTicks(y, high - 18, 40),
    });
    fitAcross(g, X);
    fitUp(g, Y, margin.left - 22);
    if (!foot) g.select(".axis.x").selectAll("text").remove();
    if (!edge) g.select(".axis.y").selectAll("text").remove();
    if (foot) drawFoot(g, x, tickPlan(X, xTicks).more, { middle: from + wide / 2, y: high + 22, room: wide + GAP - 12 });
    const placeX = (r) => X(r.params[x.name]) + spread(x, r.trial, 9);
    const placeY = (r) => (y ? Y(r.params[y.name]) + spread(y, r.trial, 9, "up") : Y(r.value));
    const isThere = (r) => isActive(r.params[x.name]) && (y ? isActive(r.params[y.name]) : Number.isFinite(r.value));
    g.append("g").selectAll("path").data(rows.filter(isThere)).join("path")
        .attr("class", (r) => `spot${isFailed(r) ? " failed" : isBroken(r) ? " broken" : ""}${isIn(r) ? "" : " out"}`)
        .attr("d", (r) => (isFailed(r) ? cross(2.6) : isBroken(r) ? SQUARE : DOT))
        .attr("fill", (r) => (isFailed(r) ? null : colour(r.value)))
        .attr("color", (r) => (isBroken(r) ? colour(r.value) : null))
        .attr("transform", (r) => `translate(${placeX(r)},${placeY(r)})`);
}

const keyOf = (rows) => [
    rows.some(isBroken) && { mark: "square", class: "spot broken", text: "breaks a constraint" },
    rows.some(isFailed) && { mark: "cross", class: "failed", text: failedWord(rows) },
].filter(Boolean);

/** data {chosen: parameters, rows: worst first, direction, isIn(row), output: what the value is called, bounded: whether
 *  there are constraints} */
export function drawScatter(svg, { width, data }) {
    const { chosen, rows, direction, isIn, output } = data, { left, top, wide, high } = sizeOf(width, data);
    const values = valuesOf(rows), colour = standing(values, direction), digits = digitsOf(values), narrow = width < NARROW;
    if (values.length) colourBar(svg, { colour, x: 14, y: 8, width: Math.min(320, width - 30), label: short(output, 40) });
    key(svg, keyOf(rows), narrow ? 14 : 366, narrow ? 62 : 24, width);
    const names = [...chosen.slice(1), null];
    names.forEach((y, row) => chosen.slice(0, row + 1).forEach((x, column) => drawPlot(svg, {
        x, y, rows, colour, values, isIn, output, wide, high, from: left, left: left + column * (wide + GAP),
        top: top + row * high, edge: column === 0, foot: row === names.length - 1,
    })));
    svg.on("pointermove", (event) => {
        const row = event.target.classList.contains("spot") && select(event.target).datum();
        if (row) showTip(event, trialLines(row, digits, output));
        else hideTip();
    }).on("pointerleave", hideTip);
}

export const scatterTable = ({ chosen, rows, isIn, output, bounded }) => ({
    columns: ["trial", "state", ...chosen.map((p) => p.name), output, ...(bounded ? ["feasible"] : [])],
    rows: rows.filter(isIn).map((r) => [r.trial, r.state, ...chosen.map((p) => r.params[p.name]), r.value,
        ...(bounded ? [r.feasible] : [])]),
});
