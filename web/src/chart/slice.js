// slice.js - what the model believes along each parameter, the others held: small plots side by side.
import { area, line } from "d3";
import { number, real, value as words } from "../format.js";
import { discrete, spread } from "../place.js";
import { axes, key, numberScale, parameterScale } from "./axes.js";
import { clipped } from "./clip.js";
import { numbersOf } from "./quantity.js";
import { span } from "./ramp.js";
import { fitAcross, wantedTicks } from "./ticks.js";
import { hideTip, showTip, tips } from "./tip.js";

const WIDE = 250, LEFT = 58;

const columnsOf = (width, count) => (count < 3 && width < 800 ? 1 : Math.max(1, Math.min(count, 3, Math.floor(width / WIDE))));
const highOf = (count) => (count === 1 ? 380 : count === 2 ? 268 : 216);
const linesOf = (width, entries) => Math.ceil(entries.reduce((sum, { text }) => sum + 40 + 6.4 * text.length, 0) / (width - LEFT - 40));

export const slicesHeight = (width, data) => 8 + 17 * linesOf(width, keyOf(data))
    + highOf(data.slices.length) * Math.ceil(data.slices.length / columnsOf(width, data.slices.length));

/** A slice as rows of numbers: {at, mean, f: [low, high], y: [low, high], shown, ...}. */
function rowsOf(slice, quantity) {
    const shown = numbersOf(slice, quantity);
    return slice.grid.map((at, i) => ({
        at, shown: shown ? shown[i] : NaN, mean: real(slice.mean[i]), sd: real(slice.sd_f[i]),
        f: [real(slice.f_low[i]), real(slice.f_high[i])], y: [real(slice.y_low[i]), real(slice.y_high[i])],
        threshold: real(slice.threshold[i]), acquisition: real(slice.acquisition[i]), success: real(slice.success[i]),
    }));
}

const there = ([low, high]) => low <= high;

/** The scale of some slices: what is believed, and the trials that are near enough to matter. */
function scaleOf(slices, { quantity, points, centre }, pixels) {
    const rows = slices.flatMap((slice) => rowsOf(slice, quantity.name));
    if (quantity.name === "success") return numberScale([0, 1], pixels, 0.02);
    if (quantity.name !== "mean") {
        const [low, high] = span(rows.map((r) => r.shown), quantity.clip ?? 0);
        return numberScale([low, high, ...(quantity.name === "threshold" ? [centre] : [])], pixels);
    }
    const near = slices.flatMap((slice) => points[slice.parameter.name].filter((p) => p.fade > 0.3).map((p) => p.value));
    return numberScale([...rows.flatMap((r) => [r.mean, ...r.f, ...r.y]), ...near], pixels);
}

/** Pixels of a number, infinite ones beyond the plot. */
const pixelOf = (Y) => (v) => (Number.isFinite(v) ? Y(v) : v > 0 ? Y.range()[1] - 50 : Y.range()[0] + 50);

function drawBands(g, rows, X, Y) {
    for (const name of ["y", "f"])
        g.append("path").attr("class", `band area ${name === "f" ? "inner" : ""}`).attr("d", area().defined((r) => there(r[name]))
            .x((r) => X(r.at)).y0((r) => Y(r[name][0])).y1((r) => Y(r[name][1]))(rows));
}

/** Values one by one: a bar for each set, a stroke for the mean. */
function drawBars(g, rows, X, Y, wide) {
    for (const [name, part] of [["y", 1], ["f", 0.6]])
        g.selectAll(`.of-${name}`).data(rows.filter((r) => there(r[name]))).join("rect").attr("class", `of-${name} band ${name === "f" ? "inner" : ""}`)
            .attr("x", (r) => X(r.at) - wide * part / 2).attr("width", wide * part)
            .attr("y", (r) => Y(r[name][1])).attr("height", (r) => Y(r[name][0]) - Y(r[name][1]));
}

function drawShown(g, rows, X, Y, wide, name) {
    const known = rows.filter((r) => !Number.isNaN(r.shown));
    if (wide) {
        g.selectAll(".curve").data(known).join("path").attr("class", `curve of-${name}`)
            .attr("d", (r) => `M${X(r.at) - wide / 2},${Y(r.shown)}h${wide}`);
        return;
    }
    g.append("path").attr("class", `curve of-${name}`)
        .attr("d", line().defined((r) => !Number.isNaN(r.shown)).x((r) => X(r.at)).y((r) => Y(r.shown))(rows));
}

const sides = ([low, high]) => (there([low, high]) ? `${number(low)} … ${number(high)}` : "empty");

/** All that is believed at one point of a slice, line by line. */
const beliefLines = (name, r) => [`${name} = ${words(r.at)}`, `mean ${number(r.mean)}, sd ${number(r.sd, 3)}`,
    `f ${sides(r.f)}`, `measurement ${sides(r.y)}`,
    !Number.isNaN(r.threshold) && `threshold ${number(r.threshold, 3)}`,
    !Number.isNaN(r.acquisition) && `acquisition ${number(r.acquisition, 4)}`,
    r.success < 1 && `success ${number(100 * r.success, 3)} %`].filter(Boolean);

const nearest = (rows, X, p) => rows.reduce((best, r) => (Math.abs(X(r.at) - p) < Math.abs(X(best.at) - p) ? r : best), rows[0]);

function drawSense(g, box, name, rows, X) {
    const hair = g.append("line").attr("class", "hair").attr("y1", box.y).attr("y2", box.y + box.height).attr("visibility", "hidden");
    g.append("rect").attr("class", "sense").attr("x", box.x).attr("y", box.y).attr("width", box.width).attr("height", box.height)
        .on("pointerenter pointermove", (event) => {
            const at = box.x + event.clientX - event.currentTarget.getBoundingClientRect().left, row = nearest(rows, X, at);
            hair.attr("x1", X(row.at)).attr("x2", X(row.at)).attr("visibility", "visible");
            showTip(event, beliefLines(name, row));
        })
        .on("pointerleave", () => {
            hair.attr("visibility", "hidden");
            hideTip();
        });
}

function drawTrials(g, points, parameter, X, Y, best) {
    const { name } = parameter;
    const dots = g.selectAll(".trial-dot").data(points).join("circle").attr("class", "trial-dot").attr("r", 2.8)
        .attr("cx", (d) => X(d.params[name]) + spread(parameter, d.trial, 12)).attr("cy", (d) => Y(d.value)).attr("opacity", (d) => d.fade);
    tips(dots, (d) => [`Trial ${d.trial}`, `value ${number(d.value)}`, `${name} = ${words(d.params[name])}`]);
    if (best)
        g.append("circle").attr("class", "best-ring").attr("r", 5.5)
            .attr("cx", X(best.params[name]) + spread(parameter, best.trial ?? 0, 12)).attr("cy", Y(real(best.value)));
}

/** The point that the slices go through; a cross if it is the recommended one. */
function drawHeld(g, slice, rows, X, Y, box) {
    const { at, parameter: { name } } = slice, x = X(at.params[name]);
    g.append("line").attr("class", "held").attr("x1", x).attr("x2", x).attr("y1", box.y).attr("y2", box.y + box.height);
    const y = Y(nearest(rows, X, x).shown);
    if (at.what === "recommended" && Number.isFinite(y))
        g.append("path").attr("class", "recommended bold").attr("transform", `translate(${x},${y})`).attr("d", "M-5,-5L5,5M5,-5L-5,5");
}

function drawPanel(g, slice, { data, Y, width, height, margin, first }) {
    const { quantity, centre, best, points } = data, { parameter } = slice, few = discrete(parameter);
    const box = { x: margin.left, y: margin.top, width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
    const room = few && parameter.type === "int" ? Math.min(16, box.width / (2 * slice.grid.length)) : 0;
    const X = parameterScale(parameter, [box.x + room, box.x + box.width - room]);
    const rows = rowsOf(slice, quantity.name), toY = pixelOf(Y);
    const wide = few ? Math.min(22, 0.7 * box.width / slice.grid.length) : 0;
    axes(g, { x: X, y: Y, width, height, margin, xLabel: parameter.name, yLabel: first ? data.axis : "",
        xTicks: wantedTicks(parameter, box.width, 60) });
    fitAcross(g, X);
    const plot = clipped(g, box);
    if (quantity.name === "mean") few ? drawBars(plot, rows, X, toY, wide) : drawBands(plot, rows, X, toY);
    if (quantity.name === "threshold")
        plot.append("line").attr("class", "target").attr("x1", box.x).attr("x2", box.x + box.width).attr("y1", Y(centre)).attr("y2", Y(centre));
    drawSense(plot, box, parameter.name, rows, X);
    const above = clipped(g, { x: box.x - 7, y: box.y, width: box.width + 14, height: box.height });
    if (!few) drawShown(plot, rows, X, toY, 0, quantity.name);
    if (quantity.name === "mean") drawTrials(above, points[parameter.name], parameter, X, Y, best);
    if (few) drawShown(above, rows, X, toY, wide, quantity.name);
    drawHeld(above, slice, rows, X, toY, box);
}

const keyOf = ({ quantity, level, slices, best, centre }) => {
    const recommended = slices[0].at.what === "recommended";
    const share = `${Math.round(100 * level)} %`;
    return [
        { mark: "line", class: `curve of-${quantity.name}`, text: quantity.label },
        ...(quantity.name === "mean" ? [
            { mark: "band", class: "band inner", text: `f, ${share}` }, { mark: "band", class: "band", text: `a measurement, ${share}` },
            { mark: "dot", class: "trial-dot", text: "measured" }, best && { mark: "ring", class: "best-ring", text: "best measured" },
        ] : []),
        quantity.name === "threshold" && { mark: "line", class: "target", text: `the model alone, λ = ${number(centre, 3)}` },
        recommended ? { mark: "cross", class: "recommended bold", text: "recommended" } : { mark: "line", class: "held", text: "the point held" },
    ].filter(Boolean);
};

/** data {slices: answers of /api/slice, quantity: of quantity.js with its name, points: rows with `fade` by parameter,
 *  level, centre: the threshold of the model alone, best: a choice or null, axis: the label of the vertical axes, own: whether
 *  each plot has a scale of its own} */
export function drawSlices(svg, { width, height, data }) {
    const columns = columnsOf(width, data.slices.length), wide = width / columns, high = highOf(data.slices.length);
    const margin = { top: 8, right: 12, bottom: 44, left: LEFT };
    const top = height - high * Math.ceil(data.slices.length / columns);
    key(svg, keyOf(data), margin.left, 10, width - margin.left - 8);
    const pixels = [high - margin.bottom, margin.top], common = data.own ? null : scaleOf(data.slices, data, pixels);
    data.slices.forEach((slice, i) => {
        const column = i % columns, row = Math.floor(i / columns);
        const g = svg.append("g").attr("transform", `translate(${column * wide},${top + row * high})`);
        drawPanel(g, slice, { data, Y: common ?? scaleOf([slice], data, pixels), width: wide, height: high, margin, first: column === 0 });
    });
}

export const slicesTable = ({ slices }) => ({
    columns: ["parameter", "at", "mean", "sd of f", "f low", "f high", "y low", "y high", "threshold", "acquisition", "success"],
    rows: slices.flatMap((slice) => rowsOf(slice, "mean").map((r) => [slice.parameter.name, r.at, r.mean, r.sd, ...r.f, ...r.y,
        r.threshold, r.acquisition, r.success])),
});
