// curves.js - the values that evaluations report step by step: running ones, those ended early, those that were kept.
import { extent, pointer, quantileSorted, scaleLinear, scaleLog } from "d3";
import { digitsOf } from "../digits.js";
import { count, number, reals } from "../format.js";
import { axes, key, numberScale } from "./axes.js";
import { across } from "./marks.js";
import { clipped } from "./clip.js";
import { fitAcross, fitUp, roomBeside } from "./ticks.js";
import { hideTip, showTip } from "./tip.js";

const REACH = 30, ROOM = 0.05, FEW = 12; // so few curves are drawn strong

/** The curves of an answer as rows {..., points: [{step, value}]}. */
export const curveRows = ({ curves }) => curves.map((c) => ({
    ...c, points: reals(c.value).map((value, i) => ({ step: c.step[i], value })),
}));

/** The curves of the attempts of one trial; earlier attempts have no state of their own. */
export const trialRows = ({ trial, state, attempt, curves, decision = null }) => curveRows({ curves }).map((row) => ({
    ...row, trial, label: `attempt ${row.attempt}`, state: row.attempt === attempt ? state : null, best: false,
    decision: decision?.attempt === row.attempt ? decision : null, earlier: row.attempt !== attempt,
}));

// ---- scales

/** Whether an axis can be logarithmic. */
export const canLog = (rows, axis) => rows.every(({ points }) => points.every((p) => p[axis] > 0));

function logScale([low, high], range, room = ROOM) {
    const more = low === high ? 1.1 : (high / low) ** room;
    return scaleLog([low / more, high * more], range);
}

function stepScale(rows, range, log) {
    const ends = extent(rows.flatMap(({ points }) => points.map((p) => p.step)));
    if (log) return logScale(ends, range, 0.01);
    return scaleLinear([Math.min(...ends), Math.max(ends[0] + 1, ends[1])], range);
}

const lastOf = ({ points }) => points.at(-1).value;

/** The worse end of most values: beyond it lie at most 2 % of them, if they lie far away. */
function mostOf(values, worse) {
    const sorted = [...values].sort((a, b) => a - b), [low, high] = [sorted[0], sorted.at(-1)];
    const end = quantileSorted(sorted, worse > 0 ? 0.98 : 0.02), inner = worse > 0 ? end - low : high - end;
    if (!(high - low > 3 * inner) || inner === 0) return [low, high];
    return worse > 0 ? [low, end] : [end, high];
}

/** The values that the picture must hold. range "all": all of them; "ends": where complete and running curves end; otherwise
 *  most: the huge loss of one curve would hide the others. */
function heightsOf(rows, { range, direction, incumbent }) {
    const values = rows.flatMap(({ points }) => points.map((p) => p.value)), worse = direction === "maximize" ? -1 : 1;
    const level = Number.isFinite(incumbent) ? [incumbent] : [];
    if (range === "all") return [...values, ...level];
    const alive = rows.filter((r) => !r.decision?.ended && kindOf(r) !== "lost").map(lastOf);
    if (range !== "ends" || alive.length === 0) return [...mostOf(values, worse), ...level];
    const [low, high] = extent([...alive, ...level]), all = extent(values), more = 0.3 * (high - low);
    return [Math.max(all[0], low - more), Math.min(all[1], high + more)];
}

const valueScale = (data, pixels) => {
    const heights = heightsOf(data.rows, data);
    return data.logY && heights.every((v) => v > 0) ? logScale(extent(heights), pixels) : numberScale(heights, pixels, ROOM);
};

/** How many curves leave the picture. */
export const beyond = (data) => {
    const [low, high] = valueScale(data, [1, 0]).domain();
    return data.rows.filter(({ points }) => points.some(({ value }) => value < low || value > high)).length;
};

// ---- how a curve looks

const KINDS = [
    { name: "other", class: "curve other", text: "complete" },
    { name: "ended", class: "curve ended", text: "ended early" },
    { name: "kept", class: "curve kept", text: "kept by the coin" },
    { name: "running", class: "curve running", text: "running" },
    { name: "best", class: "curve best-curve", text: "the best" },
];

/** Those that failed, wait again or were taken back are as others, but dotted. */
export const kindOf = (row) => (row.state === "RUNNING" ? "running" : row.best ? "best"
    : row.decision ? (row.decision.ended ? "ended" : "kept") : row.state === "COMPLETE" ? "other" : "lost");

const path = (points, x, y) => points.map((p, i) => `${i ? "L" : "M"}${x(p.step).toFixed(1)},${y(p.value).toFixed(1)}`).join("");
const crossAt = (x, y, r) => `M${x - r},${y - r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`;
const diamondAt = (x, y, r) => `M${x},${y - r}l${r},${r}l${-r},${r}l${-r},${-r}z`;
const dotAt = (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`;

/** Ended ones have a cross at their end, kept ones a diamond where they could have been ended, running ones a dot; at the edge
 *  (`within`) if that is outside the picture. */
function drawCurves(g, rows, x, y, within) {
    const kinds = [{ name: "lost", class: "curve lost" }, ...KINDS];
    for (const kind of kinds) {
        const mine = rows.filter((r) => kindOf(r) === kind.name);
        g.append("g").selectAll("path").data(mine).join("path").attr("class", kind.class)
            .attr("data-trial", (r) => r.trial).attr("d", ({ points }) => path(points, x, y));
    }
    const mark = (name, list, shape) => g.append("g").selectAll("path").data(list).join("path").attr("class", name)
        .attr("data-trial", (r) => r.trial).attr("d", shape);
    const last = (r) => r.points.at(-1);
    mark("curve-mark ended", rows.filter((r) => r.decision?.ended), (r) => crossAt(x(last(r).step), within(last(r).value), 3.6));
    mark("curve-mark kept", rows.filter((r) => r.decision && !r.decision.ended),
        ({ decision: d }) => diamondAt(x(d.step), within(d.value), 5));
    mark("curve-mark running", rows.filter((r) => r.state === "RUNNING"), (r) => dotAt(x(last(r).step), within(last(r).value), 4));
}

function entries(rows, incumbent, level = "best observed") {
    const has = (name) => rows.some((r) => kindOf(r) === name);
    const mark = { ended: ["cross", "curve-mark ended"], kept: ["diamond", "curve-mark kept"], running: ["dot", "curve-mark running"] };
    return [
        ...KINDS.filter(({ name }) => has(name)).reverse().map(({ name, class: line, text }) => (mark[name]
            ? { mark: mark[name][0], class: mark[name][1], text } : { mark: "line", class: line, text })),
        has("lost") && { mark: "line", class: "curve lost", text: rows.some((r) => r.earlier) ? "earlier attempts" : "without a result" },
        Number.isFinite(incumbent) && { mark: "line", class: "target", text: level },
    ].filter(Boolean);
}

// ---- pointing at a curve

const STATE = { COMPLETE: "complete", PRUNED: "ended early", RUNNING: "running", WAITING: "waiting again", FAILED: "failed",
    INFEASIBLE: "infeasible", RETRACTED: "retracted" };

const tipOf = (row, point, digits, name) => [
    `${row.label ?? `trial ${row.trial}`}`,
    [STATE[row.state] ?? null, row.best ? "the best" : null].filter(Boolean).join(", ") || null,
    `step ${count(point.step)}: ${name} ${number(point.value, digits)}`,
    row.decision ? `${row.decision.ended ? "ended" : "kept"} at step ${count(row.decision.step)}`
        + (row.decision.incumbent === null ? "" : `, best then ${number(row.decision.incumbent, digits)}`) : null,
].filter(Boolean);

/** The curve whose nearest point, or line between two points, is nearest to the pointer: {row, point} or null. */
function nearest(rows, x, within, [px, py]) {
    let found = null, least = REACH * REACH;
    for (const row of rows) {
        let before = null;
        for (const point of row.points) {
            const at = [x(point.step), within(point.value)];
            let d = (at[0] - px) ** 2 + (at[1] - py) ** 2;
            if (before && px > before[0] && px < at[0]) {
                const level = before[1] + (at[1] - before[1]) * ((px - before[0]) / (at[0] - before[0]));
                d = Math.min(d, (level - py) ** 2);
            }
            if (d < least) [found, least] = [{ row, point }, d];
            before = at;
        }
    }
    return found;
}

/** A tooltip of the nearest curve, which stands out; a click opens its trial. */
function listen(svg, { rows, x, y, within, box, open, name }) {
    const digits = digitsOf(y.domain()) + 1;
    const thick = svg.append("path").attr("class", "curve pointed").attr("display", "none");
    const near = svg.append("circle").attr("class", "near").attr("r", 5.5).attr("display", "none");
    const leave = () => {
        thick.attr("display", "none");
        near.attr("display", "none");
        hideTip();
    };
    svg.append("rect").attr("class", open ? "hit" : "hit still").attr("x", box.x).attr("y", box.y)
        .attr("width", box.width).attr("height", box.height)
        .on("pointermove", (event) => {
            const at = nearest(rows, x, within, pointer(event));
            if (!at) return leave();
            thick.attr("display", null).attr("d", path(at.row.points, x, within));
            near.attr("display", null).attr("cx", x(at.point.step)).attr("cy", within(at.point.value));
            return showTip(event, tipOf(at.row, at.point, digits, name));
        })
        .on("pointerleave", leave)
        .on("click", (event) => {
            const at = nearest(rows, x, within, pointer(event));
            if (at && open) open(at.row.trial);
        });
}

/** data {rows, direction, output, incumbent, logX, logY, range, open(trial)} */
export function drawCurvesChart(svg, { width, height, data }) {
    const { rows, direction, output = "value", incumbent = NaN, logX, open } = data;
    const left = roomBeside(valueScale(data, [height - 80, 0])), right = width - 14, bottom = height - 40;
    const top = key(svg, entries(rows, incumbent, data.level), left, 10, right - left) + 14;
    const x = stepScale(rows, [left + 4, right - 4], logX && canLog(rows, "step")), y = valueScale(data, [bottom, top]);
    const whole = Math.max(1, Math.min(x.domain()[1] - x.domain()[0], Math.floor((right - left) / 80)));
    axes(svg, {
        x, y, width, height, margin: { top, right: 14, bottom: 40, left }, xLabel: "step", xTicks: logX ? undefined : whole,
        yLabel: `${output} (${direction})`,
    });
    fitAcross(svg, x);
    fitUp(svg, y, left);
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    const g = clipped(svg, { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 }) // room for marks
        .classed("few", rows.length <= FEW);
    if (Number.isFinite(incumbent)) across(g, box, y(incumbent)).attr("class", "target");
    const within = y.copy().clamp(true);
    drawCurves(g, rows, x, y, within);
    listen(svg, { rows, x, y, within, box, open, name: output });
}

export const curvesTable = ({ rows, output = "value" }) => ({
    columns: ["trial", "attempt", "state", "decision", "step", output],
    rows: rows.flatMap((r) => r.points.map((p) => [r.trial, r.attempt, r.state,
        r.decision ? (r.decision.ended ? "ended" : "kept") : "", p.step, p.value])),
});
