// scatter.js - some parameters against one another, and the value against each of them.
import { select } from "d3";
import { isFailed, spread } from "../place.js";
import { axes, key, numberScale, parameterScale } from "./axes.js";
import { cross, trialLines } from "./marks.js";
import { colourBar, standing } from "./ramp.js";
import { fitAcross, fitUp, short, wantedTicks } from "./ticks.js";
import { hideTip, showTip } from "./tip.js";

const TOP = 70, LEFT = 62, GAP = 24;

/** How wide and high each plot is: the first column has the labels to its left. */
const sizeOf = (width, count) => {
    const wide = (width - LEFT - GAP * (count - 1) - 8) / count;
    return { wide, high: Math.max(100, Math.min(190, 0.8 * wide)) };
};
export const scatterHeight = (width, { chosen }) => TOP + 40 + sizeOf(width, chosen.length).high * chosen.length;

const DOT = "M-2.6,0a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0";

/** Whole numbers at the ends of their axis keep off its corner. */
const inset = (parameter, [from, to]) => {
    const room = parameter.type === "int" ? 8 * Math.sign(to - from) : 0;
    return [from + room, to - room];
};

/** One plot of the matrix: y is a parameter, or null for the value. */
function drawPlot(svg, { x, y, rows, left, top, wide, high, edge, foot, colour, values, isIn }) {
    const margin = { top: 6, right: 0, bottom: 12, left: LEFT };
    const g = svg.append("g").attr("transform", `translate(${left - LEFT},${top})`);
    const X = parameterScale(x, inset(x, [LEFT, LEFT + wide]));
    const pixels = [high - margin.bottom, margin.top];
    const Y = y ? parameterScale(y, inset(y, pixels)) : numberScale(values, pixels);
    axes(g, {
        x: X, y: Y, width: LEFT + wide, height: high, margin, yLabel: edge ? y?.name ?? "value" : "",
        xTicks: wantedTicks(x, wide, 46), yTicks: wantedTicks(y, high - 18, 40),
    });
    fitAcross(g, X);
    fitUp(g, Y, margin.left - 22);
    if (!foot) g.select(".axis.x").selectAll("text").remove();
    if (!edge) g.select(".axis.y").selectAll("text").remove();
    if (foot) g.append("text").attr("class", "label").attr("x", LEFT + wide / 2).attr("y", high + 22)
        .attr("text-anchor", "middle").text(short(x.name, Math.floor((wide + GAP) / 6.8))).append("title").text(x.name);
    const placeX = (r) => X(r.params[x.name]) + spread(x, r.trial, 9);
    const placeY = (r) => (y ? Y(r.params[y.name]) + spread(y, r.trial, 9, "up") : Y(r.value));
    g.append("g").selectAll("path").data(rows.filter((r) => y || Number.isFinite(r.value))).join("path")
        .attr("class", (r) => `spot${isFailed(r) ? " failed" : ""}${isIn(r) ? "" : " out"}`)
        .attr("d", (r) => (isFailed(r) ? cross(2.6) : DOT)).attr("fill", (r) => (isFailed(r) ? null : colour(r.value)))
        .attr("transform", (r) => `translate(${placeX(r)},${placeY(r)})`);
}

/** data {chosen: parameters, rows: worst first, direction, isIn(row)} */
export function drawScatter(svg, { width, data }) {
    const { chosen, rows, direction, isIn } = data, { wide, high } = sizeOf(width, chosen.length);
    const values = rows.map((r) => r.value).filter(Number.isFinite), colour = standing(values, direction);
    if (values.length) colourBar(svg, { colour, x: 14, y: 8, width: Math.min(320, width - 28), label: "value" });
    if (rows.some(isFailed))
        key(svg, [{ mark: "cross", class: "failed", text: "failed" }], Math.min(360, width - 90), width < 480 ? 15 : 26, 90);
    const names = [...chosen.slice(1), null];
    names.forEach((y, row) => chosen.slice(0, row + 1).forEach((x, column) => drawPlot(svg, {
        x, y, rows, colour, values, isIn, wide, high, left: LEFT + column * (wide + GAP), top: TOP + row * high,
        edge: column === 0, foot: row === names.length - 1,
    })));
    svg.on("pointermove", (event) => {
        const row = event.target.classList.contains("spot") && select(event.target).datum();
        if (row) showTip(event, trialLines(row));
        else hideTip();
    }).on("pointerleave", hideTip);
}

export const scatterTable = ({ chosen, rows, isIn }) => ({
    columns: ["trial", "state", ...chosen.map((p) => p.name), "value"],
    rows: rows.filter(isIn).map((r) => [r.trial, r.state, ...chosen.map((p) => r.params[p.name]), r.value]),
});
