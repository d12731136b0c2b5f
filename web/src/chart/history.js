// history.js - the chart of values by trial: measurements, the sets announced for them, the best so far.
import { bisector, extent, group, max, pointer, quantileSorted, scaleLinear, scalePoint } from "d3";
import { digitsOf } from "../digits.js";
import { count, interval, number, real, reals } from "../format.js";
import { directionOf, feasibleWord, goalWords } from "../goals.js";
import { stateWord } from "../parts/words.js";
import { axes, key, numberScale } from "./axes.js";
import { across, isNear, square } from "./marks.js";
import { roomBeside } from "./ticks.js";
import { hideTip, showTip, tips } from "./tip.js";

const finite = (list) => list.filter(Number.isFinite);

/** The answer of /api/history, restricted to trials from..to, as rows. */
export function rowsOf(answer, from = -Infinity, to = Infinity) {
    const c = answer.columns;
    const rows = c.trial.map((trial, i) => ({
        trial, state: c.state[i], origin: c.origin[i], value: real(c.value[i]), mean: real(c.mean[i]),
        low: real(c.low[i]), high: real(c.high[i]), miss: c.miss[i], feasible: c.feasible?.[i] ?? null,
        below: c.below?.[i] ?? false,
    }));
    return rows.filter((r) => r.trial >= from && r.trial <= to).sort((a, b) => a.trial - b.trial);
}

/** A note on how many trials are left out; "" if none is. */
export const thinned = ({ matching, shown }) => (shown === matching ? "" : ` ${count(matching)} trials, ${count(shown)} `
    + "shown: of each run of trials the lowest, the highest and two between, so extremes look more frequent than they are.");

/** Values that the y axis must contain: values, best, most of the intervals, a bound that is not far from them; or from the
 *  best value to the median. */
function heights({ rows, best, direction, half, bound }) {
    const values = finite(rows.map((r) => r.value)).sort((a, b) => a - b);
    if (half && values.length > 3) {
        const middle = quantileSorted(values, 0.5);
        return direction === "maximize" ? [middle, values.at(-1), ...best] : [values[0], middle, ...best];
    }
    const lows = finite(rows.map((r) => r.low)).sort((a, b) => a - b);
    const highs = finite(rows.map((r) => r.high)).sort((a, b) => a - b);
    const spans = finite([...extent(values), ...best, quantileSorted(lows, 0.02), quantileSorted(highs, 0.98)]);
    return isNear(bound, spans) ? [...spans, bound] : spans;
}

const dot = (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`;
const cross = (x, y, r) => `M${x - r},${y - r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`;
const fixed = (v) => Math.round(10 * v) / 10;

/** The steps of the best value within the x axis. */
function steps(answer, x, y) {
    const [from, to] = x.domain();
    const trial = answer.best.trial, value = reals(answer.best.value);
    let path = "", last = null;
    trial.forEach((t, i) => {
        if (t > to) return;
        const at = fixed(x(Math.max(from, t))), level = fixed(y(value[i]));
        if (t <= from) path = `M${at},${level}`;
        else path += path ? `H${at}V${level}` : `M${at},${level}`;
        last = level;
    });
    return last === null ? null : `${path}H${fixed(x(to))}`;
}

function marks(svg, { rows, x, y, top, bottom, small, hasMeans }) {
    const clamp = (v) => Math.min(bottom, Math.max(top, v));
    const end = (v) => (Number.isFinite(v) ? clamp(y(v)) : v > 0 ? top : bottom); // a set may be unbounded
    const inside = (v) => v >= top - 0.5 && v <= bottom + 0.5;
    const announced = rows.filter((r) => r.low <= r.high);
    const shown = rows.filter((r) => Number.isFinite(r.value) && inside(y(r.value)));
    const measured = shown.filter((r) => !r.below);
    const radius = small ? 2.2 : rows.length > 800 ? 2 : 3;
    const space = Math.abs(x.range()[1] - x.range()[0]) / Math.max(1, rows.length);
    const bars = announced.map((r) => `M${fixed(x(r.trial))},${fixed(end(r.low))}V${fixed(end(r.high))}`).join("");
    svg.append("path").attr("class", `band bars${space < 5 ? " thin" : ""}`).attr("d", bars || null);
    if (hasMeans) svg.append("path").attr("class", "mean ticks").attr("d", announced
        .filter((r) => inside(y(r.mean))).map((r) => `M${fixed(x(r.trial) - 2.5)},${fixed(y(r.mean))}h5`).join("") || null);
    const shape = (list, make) => list.map((r) => make(fixed(x(r.trial)), fixed(y(r.value)), radius)).join("") || null;
    svg.append("path").attr("class", "value lower dots").attr("d", shape(shown.filter((r) => r.below),
        (a, b, r) => dot(a, b, fixed(0.7 * r))));
    svg.append("path").attr("class", "value dots").attr("d", shape(measured.filter((r) => r.miss === false), dot));
    svg.append("path").attr("class", "value ring").attr("d", shape(measured.filter((r) => r.miss === null), dot));
    svg.append("path").attr("class", "violating").attr("d", shape(measured.filter((r) => r.feasible === false),
        (a, b, r) => square(a, b, r + 2.5)));
    svg.append("path").attr("class", "miss").attr("d", shape(measured.filter((r) => r.miss === true),
        (a, b, r) => cross(a, b, r + 1)));
    const ticks = (state) => rows.filter((r) => r.state === state).map((r) => fixed(x(r.trial)));
    svg.append("path").attr("class", "failed").attr("d", ticks("FAILED").map((a) => `M${a},${bottom}v-9`).join("") || null);
    svg.append("path").attr("class", "infeasible").attr("d", ticks("INFEASIBLE")
        .map((a) => `M${a - 3.5},${bottom}l3.5,-7l3.5,7z`).join("") || null);
    svg.append("path").attr("class", "retracted ring").attr("d",
        ticks("RETRACTED").map((a) => dot(a, bottom - 4, 3)).join("") || null);
    svg.append("path").attr("class", "pruned").attr("d",
        ticks("PRUNED").map((a) => cross(a, bottom - 5, 2.6)).join("") || null);
}

/** The alterations within the x axis, between the trials before and after each. */
const alterationsIn = ({ alterations = [] }, first, last) => alterations
    .filter(({ after }) => after + 0.5 >= first && after + 0.5 <= last);

const MOST = 6; // differences of one alteration in a tooltip

const alterationLines = ({ event, after, changes, text }) => [
    `altered at event ${event}, after trial ${after}`, ...changes.slice(0, MOST),
    changes.length > MOST && `and ${changes.length - MOST} more`, text,
].filter(Boolean);

/** A line at the alterations after each trial, with a flag that says what was altered. */
function drawAlterations(svg, list, { x, top, bottom }) {
    for (const [after, here] of group(list, (a) => a.after)) {
        const at = fixed(x(after + 0.5)), lines = here.flatMap(alterationLines);
        svg.append("path").attr("class", "altered").attr("d", `M${at},${bottom}V${top - 4}`);
        tips(svg.append("path").attr("class", "altered flag").attr("d", `M${at},${top - 6}h9l-2.5,4l2.5,4h-9z`), () => lines);
    }
}

/** What is in the picture, for the key. */
function entries({ rows, level, best, hasMeans, goal, altered }) {
    const any = (test) => rows.some(test);
    return [
        any((r) => r.miss === false && !r.below) && { mark: "dot", class: "value", text: "measured, inside" },
        any((r) => r.miss === true && !r.below) && { mark: "cross", class: "miss", text: "measured, a miss" },
        any((r) => r.miss === null && Number.isFinite(r.value) && !r.below)
            && { mark: "ring", class: "value ring", text: "nothing announced" },
        any((r) => r.feasible === false && Number.isFinite(r.value))
            && { mark: "square", class: "violating", text: "breaks a constraint" },
        any((r) => r.below && Number.isFinite(r.value))
            && { mark: "dot", class: "value lower", text: "below full fidelity" },
        goal.bound !== null && { mark: "line", class: "bound", text: goal.words },
        any((r) => r.low <= r.high) && { mark: "band", class: "band", text: `announced set (${Math.round(100 * level)} %)` },
        hasMeans && { mark: "line", class: "mean", text: "believed mean" },
        best.length > 0 && { mark: "line", class: "best", text: "best so far" },
        any((r) => r.state === "FAILED") && { mark: "tick", class: "failed", text: "failed" },
        any((r) => r.state === "INFEASIBLE") && { mark: "triangle", class: "infeasible", text: "infeasible" },
        any((r) => r.state === "RETRACTED") && { mark: "ring", class: "retracted ring", text: "retracted" },
        any((r) => r.state === "PRUNED") && { mark: "cross", class: "pruned", text: "ended early" },
        altered && { mark: "tick", class: "altered", text: "altered" },
    ].filter(Boolean);
}

const verdict = (r) => ({ true: "a miss: outside the set", false: "inside the set", null: null })[r.miss];

const tipOf = (r, digits, name) => [
    `trial ${r.trial}`,
    Number.isFinite(r.value) ? `${name} ${number(r.value, digits + 1)}` : stateWord(r.state),
    Number.isFinite(r.mean) ? `believed ${number(r.mean, digits)}, set ${interval([r.low, r.high], digits)}`
        : `origin: ${r.origin}`,
    verdict(r), feasibleWord(r.feasible), r.below && "below full fidelity",
].filter(Boolean);

/** A tooltip of the trial nearest to the pointer; a click opens it, a drag chooses a range. */
function listen(svg, { rows, x, y, top, bottom, left, right, open, choose, name }) {
    const middle = bisector((r) => r.trial).left, digits = digitsOf(y.domain());
    const heightOf = (r) => (Number.isFinite(r.value) ? Math.min(bottom, Math.max(top, y(r.value))) : bottom - 4);
    const nearest = ([px, py]) => {
        let found = null, least = 40 * 40;
        const reach = Math.max(1, 40 * (x.invert(1) - x.invert(0)));
        for (let i = middle(rows, x.invert(px) - reach); i < rows.length && rows[i].trial <= x.invert(px) + reach; i++) {
            const d = (x(rows[i].trial) - px) ** 2 + 0.3 * (heightOf(rows[i]) - py) ** 2;
            if (d < least) [found, least] = [rows[i], d];
        }
        return found;
    };
    const near = svg.append("circle").attr("class", "near").attr("r", 6.5).attr("display", "none");
    const drag = svg.append("rect").attr("class", "drag").attr("display", "none")
        .attr("y", top).attr("height", bottom - top);
    let start = null;
    const dragged = (event) => start !== null && Math.abs(pointer(event)[0] - start) > 6;
    const leave = () => {
        near.attr("display", "none");
        hideTip();
    };
    svg.append("rect").attr("class", "hit")
        .attr("x", left).attr("y", top).attr("width", right - left).attr("height", bottom - top)
        .on("pointerdown", (event) => {
            start = event.button === 0 && event.pointerType === "mouse" ? pointer(event)[0] : null;
        })
        .on("pointermove", (event) => {
            if (choose && dragged(event)) {
                const at = pointer(event)[0];
                drag.attr("display", null).attr("x", Math.min(start, at)).attr("width", Math.abs(at - start));
                return leave();
            }
            const row = nearest(pointer(event));
            if (!row) return leave();
            near.attr("display", null).attr("cx", x(row.trial)).attr("cy", heightOf(row));
            showTip(event, tipOf(row, digits, name));
        })
        .on("pointerleave", () => {
            leave();
            drag.attr("display", "none");
            start = null;
        })
        .on("click", (event) => {
            drag.attr("display", "none");
            const ends = [start, pointer(event)[0]].sort((a, b) => a - b);
            if (choose && dragged(event)) choose(...ends.map((p) => x.invert(p)));
            else if (nearest(pointer(event))) open(nearest(pointer(event)).trial);
            start = null;
        });
}

/** Room to the left of a plot this high; no ticks without values. */
const sideOf = (heights, high) => (heights.length ? roomBeside(numberScale(heights, [high, 0])) : 40);

const sayEmpty = (svg, { from = null }, x, y) => svg.append("text").attr("class", "label").attr("text-anchor", "middle")
    .attr("x", x).attr("y", y).text(from === null ? "There is no value yet." : "No trial of this range has a value.");

/** The output that an answer is about: {name, label of the axis, direction or null, bound or null, words for it}. */
function goalOf({ direction, output, goal, bound = null }) {
    if (!output) return { name: "value", label: `value (${direction})`, direction, bound: null };
    const words = goalWords({ goal, bound });
    return { name: output, label: `${output} (${words})`, direction: directionOf({ goal }), bound, words };
}

/** The bound, or at which side it lies. */
function drawBound(svg, { bound, words }, { y, left, right, top, bottom }) {
    const at = y(bound), inside = at >= top && at <= bottom;
    if (inside) return across(svg, { x: left, width: right - left }, at).attr("class", "bound");
    return svg.append("text").attr("class", "label").attr("text-anchor", "end").attr("x", right - 4)
        .attr("y", at < top ? top + 12 : bottom - 5).text(`${at < top ? "↑" : "↓"} ${words}`);
}

/** draw of chart(): data {answer, rows, from, to, half, small, open(trial), choose(from, to)}. */
export function drawHistory(svg, { width, height, data }) {
    const { answer, rows, small } = data;
    const first = data.from ?? 1, last = Math.max(first + 1, data.to ?? max(answer.columns.trial) ?? 1);
    const goal = goalOf(answer), { trial } = answer.best; // an improvement is seen until the next one
    const shownBest = reals(answer.best.value).filter((_, i) => trial[i] <= last && (trial[i + 1] ?? Infinity) > first);
    const spans = heights({ rows, best: shownBest, direction: goal.direction, half: data.half, bound: goal.bound });
    const margin = { top: 8, right: 12, bottom: 40, left: sideOf(spans, height - 80) };
    const hasMeans = !small && width / rows.length > 4.5 && rows.some((r) => Number.isFinite(r.mean));
    const alterations = alterationsIn(answer, first - 0.5, last + 0.5);
    const legend = entries({ rows, level: answer.level, best: answer.best.value, hasMeans, goal, altered: alterations.length > 0 });
    margin.top = key(svg, legend, margin.left, 10, width - margin.left - margin.right) + 14;
    const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom];
    const x = scaleLinear([first, last], [left + 6, right - 6]), y = numberScale(spans, [bottom, top]);
    const side = spans.length ? y : scalePoint([], [bottom, top]);
    axes(svg, { x, y: side, width, height, margin, xLabel: "trial", yLabel: goal.label });
    if (!spans.length) sayEmpty(svg, data, (left + right) / 2, (top + bottom) / 2);
    if (goal.bound !== null && spans.length) drawBound(svg, goal, { y, left, right, top, bottom });
    marks(svg, { rows, x, y, top, bottom, small, hasMeans });
    const path = steps(answer, x, (v) => Math.min(bottom, Math.max(top, y(v))));
    if (path) svg.append("path").attr("class", "best step").attr("d", path);
    listen(svg, { rows, x, y, top, bottom, left, right, open: data.open, choose: data.choose, name: goal.name });
    drawAlterations(svg, alterations, { x, top, bottom }); // above what listens, so that a flag can be pointed at
}

export const historyTable = ({ rows, answer: { output } }) => ({
    columns: ["trial", "state", "origin", output ?? "value", "mean", "low", "high", "miss", ...(output ? ["feasible"] : [])],
    rows: rows.map((r) => [r.trial, r.state, r.origin, r.value, r.mean, r.low, r.high, r.miss,
        ...(output ? [r.feasible] : [])]),
});
