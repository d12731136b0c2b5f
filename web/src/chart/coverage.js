// coverage.js - charts of the calibration: coverage by round, reliability by level, threshold by round.
import { area, line, scaleLinear } from "d3";
import { number, real } from "../format.js";
import { axes, key, numberScale } from "./axes.js";
import { clipped } from "./clip.js";
import { across, cross } from "./marks.js";
import { hover } from "./hover.js";
import { roomBeside } from "./ticks.js";

const percent = (share) => `${number(100 * share, 3)} %`;

/** Key, axes and a plot that ends at them: {X, Y, plot, box}. */
function ground(svg, { width, height, entries, xDomain, yScale, xLabel, yLabel, xTicks }) {
    const left = roomBeside(yScale([height - 60, 0]));
    const top = key(svg, entries, left, 10, width - left - 12) + 16;
    const margin = { top, right: 14, bottom: 44, left };
    const X = scaleLinear(xDomain, [left, width - margin.right]), Y = yScale([height - margin.bottom, top]);
    axes(svg, { x: X, y: Y, width, height, margin, xLabel, yLabel, xTicks });
    const box = { x: left, y: top, width: width - left - margin.right, height: height - margin.bottom - top };
    return { X, Y, box, plot: clipped(svg, box) };
}

const shares = (pixels) => scaleLinear([0, 102], pixels);
const roundsOf = (rows) => (rows.length > 1 ? [rows[0].round, rows[rows.length - 1].round]
    : [rows[0].round - 1, rows[0].round + 1]);
const wholeTicks = (rows, width) => Math.max(1, Math.min(rows.length - 1, Math.floor(width / 80)));

const drawMisses = (svg, rows, position) => svg.append("g").selectAll("path").data(rows.filter((r) => r.miss)).join("path")
    .attr("class", "miss").attr("d", cross(3.5)).attr("transform", (r) => `translate(${position(r)})`);

/** The expected range, as a band. */
const drawExpected = (plot, rows, x, Y) => plot.append("path").attr("class", "band area")
    .attr("d", area().x(x).y0((r) => Y(100 * r.low)).y1((r) => Y(100 * r.high))(rows));

const verdict = (r) => `${r.round}: trial ${r.trial} ${r.miss ? "missed" : "inside"}`;

// ---- coverage by round

/** The columns `running` of /api/calibration as rows. */
export const runningRows = ({ running }) => running.round.map((round, i) => ({
    round, trial: running.trial[i], share: running.coverage[i], low: running.low[i], high: running.high[i],
    threshold: real(running.threshold[i]), miss: running.miss[i],
}));

export function drawRunning(svg, { width, height, data: { rows, target } }) {
    const { X, Y, plot, box } = ground(svg, {
        width, height, xDomain: roundsOf(rows), yScale: shares, xTicks: wholeTicks(rows, width),
        xLabel: "measurements judged", yLabel: "inside their sets (%)",
        entries: [
            { mark: "line", class: "coverage-line", text: "coverage so far" },
            { mark: "line", class: "target", text: `target ${percent(target)}` },
            { mark: "band", class: "band", text: "95 % of counts, if on target" },
            { mark: "cross", class: "miss", text: "a miss" },
        ],
    });
    const x = (r) => X(r.round), y = (r) => Y(100 * r.share);
    drawExpected(plot, rows, x, Y);
    across(plot, box, Y(100 * target)).attr("class", "target");
    plot.append("path").attr("class", "coverage-line").attr("d", line(x, y)(rows));
    if (rows.length < 40)
        plot.append("g").selectAll("circle").data(rows).join("circle").attr("class", "coverage-dot").attr("r", 2.4)
            .attr("cx", x).attr("cy", y);
    drawMisses(svg, rows, (r) => [x(r), box.y + box.height - 7]);
    hover(svg, { box, rows, position: x, lines: (r) => [
        verdict(r), `coverage so far ${percent(r.share)}`, `expected ${percent(r.low)} … ${percent(r.high)}`] });
}

export const runningTable = ({ rows }) => ({
    columns: ["round", "trial", "miss", "coverage", "low", "high", "threshold"],
    rows: rows.map((r) => [r.round, r.trial, r.miss, r.share, r.low, r.high, r.threshold]),
});

// ---- reliability by level

/** The columns `reliability` as rows. */
export const reliabilityRows = ({ reliability: { level, share, low, high } }) => level
    .map((l, i) => ({ level: l, share: share[i], low: low[i], high: high[i] })).filter((r) => r.share !== null);

export function drawReliability(svg, { width, height, data: { rows, calibrated } }) {
    const { X, Y, plot, box } = ground(svg, {
        width, height, xDomain: [0, 100], yScale: shares,
        xLabel: "level of the interval (%)", yLabel: "measurements inside (%)",
        entries: [
            { mark: "line", class: "model-line", text: "the model alone" },
            { mark: "line", class: "diagonal", text: "exact" },
            { mark: "band", class: "band", text: "95 % of counts, if exact" },
            calibrated && { mark: "diamond", class: "calibrated", text: "the sets announced" },
        ].filter(Boolean),
    });
    const x = (r) => X(100 * r.level);
    drawExpected(plot, rows, x, Y);
    plot.append("line").attr("class", "diagonal").attr("x1", X(0)).attr("y1", Y(0)).attr("x2", X(100)).attr("y2", Y(100));
    plot.append("path").attr("class", "model-line").attr("d", line(x, (r) => Y(100 * r.share))(rows));
    hover(svg, { box, rows, position: x, lines: (r) => [
        `Intervals of ${percent(r.level)}`, `held ${percent(r.share)}`,
        `expected ${percent(r.low)} … ${percent(r.high)}`] });
    if (calibrated)
        svg.append("path").attr("class", "calibrated").attr("d", "M0,-6L6,0L0,6L-6,0Z")
            .attr("transform", `translate(${X(100 * calibrated.level)},${Y(100 * calibrated.share)})`);
}

export const reliabilityTable = ({ rows }) => ({
    columns: ["level", "share", "low", "high"], rows: rows.map((r) => [r.level, r.share, r.low, r.high]),
});

// ---- the threshold by round

export function drawThreshold(svg, { width, height, data }) {
    const rows = data.rows.filter((r) => Number.isFinite(r.threshold)), alone = 1 - data.target;
    const { X, Y, plot, box } = ground(svg, {
        width, height, xDomain: roundsOf(rows), xTicks: wholeTicks(rows, width),
        yScale: (pixels) => numberScale([alone, ...rows.map((r) => r.threshold)], pixels, 0.1),
        xLabel: "measurements judged", yLabel: "threshold λ",
        entries: [
            { mark: "line", class: "threshold-line", text: "λ where it was measured" },
            { mark: "line", class: "target", text: `the model alone, λ = ${number(alone, 3)}` },
            { mark: "cross", class: "miss", text: "a miss" },
        ],
    });
    const x = (r) => X(r.round), y = (r) => Y(r.threshold);
    across(plot, box, Y(alone)).attr("class", "target");
    plot.append("path").attr("class", "threshold-line").attr("d", line(x, y)(rows));
    if (rows.length < 120)
        plot.append("g").selectAll("circle").data(rows.filter((r) => !r.miss)).join("circle").attr("class", "threshold-dot")
            .attr("r", 2.2).attr("cx", x).attr("cy", y);
    drawMisses(svg, rows, (r) => [x(r), y(r)]);
    hover(svg, { box, rows, position: x, lines: (r) => [verdict(r), `threshold ${number(r.threshold)}`] });
}
