// heat.js - a quantity over two parameters: colours, lines of equal height, the trials, and the colour bar.
import { contours, geoPath, geoTransform, scaleLinear, scaleLog, scaleSymlog } from "d3";
import { digitsOf } from "../digits.js";
import { number, value as words } from "../format.js";
import { discrete, failedWord, hasWords, isActive, isInside, spread, stepOf } from "../points.js";
import { axes, key, parameterScale } from "./axes.js";
import { clipped } from "./clip.js";
import { cross, square, trialLines } from "./marks.js";
import { colourBar, colours, deep, span } from "./ramp.js";
import { nearest } from "./hover.js";
import { fitAcross, fitUp, roomBeside, wantedTicks } from "./ticks.js";
import { hideTip, showTip, tips } from "./tip.js";

/** Numbers that are shown one by one get half a cell of room at both ends. */
function mapScale(parameter, pixels) {
    const { low, high, log } = parameter;
    if (hasWords(parameter) || !discrete(parameter)) return parameterScale(parameter, pixels);
    if (log && low <= 0) return scaleSymlog([low - 0.5, high + 0.5], pixels);
    const room = log ? Math.sqrt(1 + 1 / low) : stepOf(parameter) / 2;
    return log ? scaleLog([low / room, high * room], pixels) : scaleLinear([low - room, high + room], pixels);
}

/** The edges of cells around positions, n + 1 of them; the outer ones at the ends of the plot. */
const edgesOf = (positions, [from, to]) => [from, ...positions.slice(1).map((p, i) => (p + positions[i]) / 2), to];

const between = (positions) => scaleLinear(positions.map((_, i) => i), positions);

function drawCells(g, { values, colour, xs, ys, xEnds, yEnds }) {
    const across = edgesOf(xs, xEnds), up = edgesOf(ys, yEnds), n = xs.length;
    const cells = values.map((v, k) => ({ v, i: k % n, j: Math.floor(k / n) })).filter(({ v }) => !Number.isNaN(v));
    g.selectAll("rect").data(cells).join("rect").attr("fill", ({ v }) => colour(v))
        .attr("x", ({ i }) => across[i]).attr("y", ({ j }) => Math.min(up[j], up[j + 1]))
        .attr("width", ({ i }) => across[i + 1] - across[i] + 0.5)
        .attr("height", ({ j }) => Math.abs(up[j] - up[j + 1]) + 0.5);
}

/** The same numbers with each edge once more, so that contours reach the ends of the plot. */
function padded(values, n, m) {
    const at = (i, count) => Math.min(Math.max(i - 1, 0), count - 1);
    return Array.from({ length: (n + 2) * (m + 2) },
        (_, k) => values[at(Math.floor(k / (n + 2)), m) * n + at(k % (n + 2), n)]);
}

function drawContours(g, { values, colour, xs, ys, xEnds, yEnds, levels }) {
    const n = xs.length, m = ys.length, domain = colour.domain(), low = domain[0], high = domain[domain.length - 1];
    const clamp = (v) => Math.min(Math.max(v, low), high);
    const field = padded(values.map(clamp), n, m), x = between(xs), y = between(ys);
    const path = geoPath(geoTransform({ point(u, v) { this.stream.point(x(u - 1.5), y(v - 1.5)); } }));
    const find = contours().size([n + 2, m + 2]), bands = 60, step = (high - low) / bands;
    g.append("rect").attr("x", xEnds[0]).attr("y", yEnds[1]).attr("width", xEnds[1] - xEnds[0])
        .attr("height", yEnds[0] - yEnds[1]).attr("fill", colour(low + step / 2));
    const starts = Array.from({ length: bands - 1 }, (_, i) => low + (i + 1) * step);
    g.append("g").selectAll("path").data(find.thresholds(starts)(field)).join("path")
        .attr("d", path).attr("fill", (c) => colour(c.value + step / 2));
    g.append("g").selectAll("path").data(find.thresholds(levels)(field)).join("path")
        .attr("d", path).attr("class", (c) => `level ${deep(colour(c.value)) ? "light" : "dark"}`);
}

/** The position of a trial: spread within its cell if values are shown one by one; the chosen ones are in the middle. */
const positionOf = ({ trial, params }, { x, y, X, Y, cell, chosen }) => {
    const apart = chosen.includes(trial) ? 0 : 1;
    const right = apart * spread(x, trial ?? 0, cell[0]), down = apart * spread(y, trial ?? 0, cell[1], "up");
    return `translate(${X(params[x.name]) + right},${Y(params[y.name]) + down})`;
};

function drawTrials(g, map) {
    const marks = g.selectAll("g").data(map.points).join("g").attr("opacity", (d) => d.fade)
        .attr("transform", (d) => positionOf(d, map));
    marks.filter((d) => d.kind === "trial").append("circle").attr("class", "on-map-dot").attr("r", 3);
    marks.filter((d) => d.kind === "trial" && d.feasible === false).append("path").attr("class", "violating on-map")
        .attr("d", square(0, 0, 4.5));
    for (const layer of ["edge", "mark"])
        marks.filter((d) => d.kind !== "trial").append("path").attr("d", cross(3.4))
            .attr("class", (d) => (layer === "edge" ? "on-map-edge" : d.kind));
    const lines = (d) => trialLines(d, 6, map.output);
    tips(marks, (d) => (d.kind === "miss" ? [...lines(d), "outside its set"] : lines(d)));
}

function drawChoice(g, choice, map, kind, lines) {
    const mark = g.append("g").attr("class", `choice ${kind}`).attr("transform", positionOf(choice, map));
    for (const layer of ["halo", "mark"]) {
        if (kind === "best") mark.append("circle").attr("class", layer).attr("r", 7);
        else mark.append("path").attr("class", layer).attr("d", cross(6.5));
    }
    tips(mark, () => lines);
}

const nearestOf = (positions, pixel) => positions.indexOf(nearest(positions, (p) => p, pixel));

/** The tooltip of the point under the pointer. */
function drawHover(g, { data, xs, ys, xEnds, yEnds }) {
    const { x, y, quantity, values } = data;
    g.append("rect").attr("class", "sense").attr("x", xEnds[0]).attr("y", yEnds[1])
        .attr("width", xEnds[1] - xEnds[0]).attr("height", yEnds[0] - yEnds[1])
        .on("pointerenter pointermove", (event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const digits = digitsOf(values);
            const i = nearestOf(xs, xEnds[0] + event.clientX - box.left);
            const j = nearestOf(ys, yEnds[1] + event.clientY - box.top);
            showTip(event, [`${quantity.label} ${number(values[j * xs.length + i], digits)}`,
                `${x.name} = ${words(x.grid[i])}`, `${y.name} = ${words(y.grid[j])}`]);
        })
        .on("pointerleave", hideTip);
}

/** A ramp that is neutral in the middle helps only if there is enough on both sides of it. */
function colourOf({ values, quantity, centre }) {
    const ends = span(values, quantity.clip ?? 0, quantity.least ?? 0), [low, high] = ends;
    if (quantity.ramp !== "diverging") return colours(ends, values, quantity);
    const both = Math.min(high - centre, centre - low) > 0.2 * (high - low);
    return colours(ends, values, both ? { centre } : { ramp: "viridis" });
}

const KINDS = [
    { kind: "trial", mark: "dot", class: "on-map-dot", text: "trial" },
    { kind: "failed", mark: "cross", class: "failed", text: "failed" },
    { kind: "miss", mark: "cross", class: "miss", text: "a miss" },
];

const keyOf = ({ points = [], best, recommended }) => [
    ...KINDS.filter(({ kind }) => points.some((p) => p.kind === kind))
        .map((entry) => (entry.kind === "failed" ? { ...entry, text: failedWord(points) } : entry)),
    points.some((p) => p.kind === "trial" && p.feasible === false)
        && { mark: "square", class: "violating", text: "breaks a constraint" },
    best && { mark: "ring", class: "best-ring", text: "best measured" },
    recommended && { mark: "cross", class: "recommended bold", text: "recommended" },
].filter(Boolean);

/** The trials, and above them the two points that matter most. */
function drawMeasured(svg, { points = [], ...choices }, map) {
    const isThere = (choice) => choice && [map.x, map.y].every((p) => isActive(choice.params[p.name])
        && isInside(p, choice.params[p.name]));
    const [best, recommended] = [choices.best, choices.recommended].map((choice) => (isThere(choice) ? choice : null));
    drawTrials(svg.append("g"), { ...map, points: points.filter(isThere) });
    const origin = ({ trial }) => (trial ? `trial ${trial}` : "not a trial of this study");
    if (best) drawChoice(svg, best, map, "best", [`Best measured: ${number(best.value, 8)}`, origin(best)]);
    if (recommended)
        drawChoice(svg, recommended, map, "recommended", [`Recommended: mean ${number(recommended.mean, 8)}`]);
}

export const heatHeight = (width) => Math.round(Math.min(620, Math.max(340, 0.82 * width + 60)));

/** data {x, y: parameters with their grids, values: row by row, quantity: of quantity.js, label: of the colours, centre:
 *  where a diverging ramp is neutral, points: rows with `fade` and `kind` (trial, failed or miss), best, recommended:
 *  choices or null, output: what values are called} */
export function drawHeat(svg, { width, height, data }) {
    const { x, y, values } = data, entries = keyOf(data), colour = colourOf(data);
    const left = Math.min(0.25 * width, roomBeside(mapScale(y, [height - 120, 0]), wantedTicks(y, height - 120, 45)));
    const top = entries.length ? key(svg, entries, left, 10, width - left - 12) + 20 : 6;
    const levels = colourBar(svg, { colour, x: left, y: top, width: width - left - 14, label: data.label, ticks: 8 });
    const margin = { top: top + 50, right: 14, bottom: 46, left };
    const xEnds = [left, width - margin.right], yEnds = [height - margin.bottom, margin.top];
    const X = mapScale(x, xEnds), Y = mapScale(y, yEnds);
    axes(svg, { x: X, y: Y, width, height, margin, xLabel: x.name, yLabel: y.name,
        xTicks: wantedTicks(x, xEnds[1] - xEnds[0], 70), yTicks: wantedTicks(y, yEnds[0] - yEnds[1], 45) });
    fitAcross(svg, X);
    fitUp(svg, Y, margin.left - 24);
    const plot = clipped(svg, { x: xEnds[0], y: yEnds[1], width: xEnds[1] - xEnds[0], height: yEnds[0] - yEnds[1] });
    const shape = { values, colour, levels, xEnds, yEnds, xs: x.grid.map((v) => X(v)), ys: y.grid.map((v) => Y(v)) };
    const smooth = !discrete(x) && !discrete(y) && x.grid.length > 2 && y.grid.length > 2 && !values.some(Number.isNaN);
    (smooth ? drawContours : drawCells)(plot, shape);
    drawHover(plot, { data, ...shape });
    const cell = [0.6 * (xEnds[1] - xEnds[0]) / x.grid.length, 0.6 * (yEnds[0] - yEnds[1]) / y.grid.length];
    const chosen = [data.best?.trial ?? null, data.recommended?.trial ?? null];
    drawMeasured(svg, data, { x, y, X, Y, cell, chosen, output: data.output });
}

export const heatTable = ({ x, y, values, quantity }) => ({
    columns: [x.name, y.name, quantity.label],
    rows: values.map((v, k) => [x.grid[k % x.grid.length], y.grid[Math.floor(k / x.grid.length)], v]),
});
