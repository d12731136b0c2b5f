// belief.js - what the model believed of a trial and what was measured, on one axis of values.
import { scalePoint } from "d3";
import { digitsOf } from "../digits.js";
import { interval, number, real } from "../format.js";
import { axes, key, numberScale } from "./axes.js";
import { isNear } from "./marks.js";
import { tips } from "./tip.js";

const known = (pair) => (pair && real(pair[0]) <= real(pair[1]) ? pair.map(real) : null);

/** {mean, y, f: intervals or null, values, miss, level, label: of the axis, itself: of what f is} and maybe
 *  {bound, goal: words for it} of what is known about a
 *  trial: {belief, values, miss, level}. */
export const beliefOf = (trial, label = "value", itself = "the objective itself") => ({
    mean: real(trial.belief?.mean), y: known(trial.belief?.y_interval), f: known(trial.belief?.f_interval),
    values: (trial.values ?? []).map(real), miss: trial.miss, level: trial.level, label, itself,
});

const share = (level) => (level ? ` (${Math.round(100 * level)} %)` : "");

function entries({ y, f, mean, values, miss, level, itself, bound = null, goal }) {
    return [
        y && { mark: "band", class: "band", text: `announced for a measurement${share(level)}` },
        f && { mark: "band", class: "band inner", text: `for ${itself}` },
        Number.isFinite(mean) && { mark: "line", class: "mean", text: "mean" },
        values.length > 0 && (miss ? { mark: "cross", class: "miss", text: "measured, a miss" }
            : { mark: "dot", class: "value", text: "measured" }),
        bound !== null && { mark: "line", class: "bound", text: goal },
        values.length > 1 && { mark: "ring", class: "value ring", text: "measured again" },
    ].filter(Boolean);
}

export function drawBelief(svg, { width, height, data }) {
    const { mean, y, f, values, miss, bound = null } = data, all = [mean, ...(y ?? []), ...(f ?? []), ...values]
        .filter(Number.isFinite);
    const margin = { top: 10, right: 14, bottom: 40, left: 14 };
    margin.top = key(svg, entries(data), margin.left, 10, width - 28) + 16;
    const bottom = height - margin.bottom, middle = (margin.top + bottom) / 2;
    const isShown = isNear(bound, all);
    const x = numberScale(isShown ? [...all, bound] : all, [margin.left, width - margin.right], 0.08);
    axes(svg, { x, y: scalePoint([], [bottom, margin.top]), width, height, margin, xLabel: data.label });
    const [left, right] = x.range();
    const clamp = (v) => (Number.isFinite(v) ? Math.min(right, Math.max(left, x(v))) : v > 0 ? right : left); // a set may be unbounded
    const band = (pair, high, kind, words) => tips(svg.append("rect").datum(pair).attr("class", kind)
        .attr("x", clamp(pair[0])).attr("width", Math.max(1, clamp(pair[1]) - clamp(pair[0])))
        .attr("y", middle - high / 2).attr("height", high), (d) => [words, interval(d)]);
    if (y) band(y, 34, "band", "announced for a measurement");
    if (f) band(f, 18, "band inner", `for ${data.itself}`);
    if (isShown) svg.append("line").attr("class", "bound").attr("x1", x(bound)).attr("x2", x(bound))
        .attr("y1", margin.top).attr("y2", bottom);
    if (Number.isFinite(mean)) svg.append("line").attr("class", "mean").attr("x1", x(mean)).attr("x2", x(mean))
        .attr("y1", middle - 22).attr("y2", middle + 22);
    values.filter(Number.isFinite).forEach((v, i) => {
        const mark = i === 0 && miss
            ? svg.append("path").attr("class", "miss").attr("d", `M${x(v) - 6},${middle - 6}l12,12m0,-12l-12,12`)
            : svg.append("circle").attr("class", i ? "value ring" : "value").attr("r", 5)
                .attr("cx", x(v)).attr("cy", middle);
        tips(mark.datum(v), (d) => [`measured ${number(d, digitsOf(x.domain(), 6))}`]);
    });
}

export const beliefTable = ({ mean, y, f, values, itself }) => ({
    columns: ["what", "low", "high"],
    rows: [["mean", mean, mean], ["announced for a measurement", ...(y ?? ["", ""])],
        [`for ${itself}`, ...(f ?? ["", ""])], ...values.map((v) => ["measured", v, v])],
});
