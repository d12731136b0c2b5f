// marks.js - what charts of trials share: the shape of a cross, lines across a plot, a trial in words.
import { number, value as words } from "../format.js";
import { feasibleWord } from "../goals.js";
import { isFailed } from "../points.js";

export const cross = (r) => `M${-r},${-r}L${r},${r}M${r},${-r}L${-r},${r}`;

/** A square around a point: the mark of a result that keeps not to a constraint. */
export const square = (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;

/** Whether a bound is at most as far from some numbers as they lie apart, so that a plot of them can show it. */
export function isNear(bound, numbers) {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)], reach = high - low || Math.abs(high) || 1;
    return bound !== null && bound !== undefined && bound >= low - reach && bound <= high + reach;
}

/** A level line from one side of the plot to the other. */
export const across = (g, box, y) => g.append("line")
    .attr("x1", box.x).attr("x2", box.x + box.width).attr("y1", y).attr("y2", y);

/** A row of points.js, line by line, its value with so many digits; `output`: what the value is called. */
export const trialLines = ({ trial, state, value, params, feasible = null }, digits = 6, output = "value") => [
    `Trial ${trial}`, isFailed({ state }) ? state.toLowerCase() : `${output} ${number(value, digits)}`,
    ...(feasible === null ? [] : [feasibleWord(feasible)]),
    ...Object.entries(params).map(([name, v]) => `${name} = ${words(v)}`),
];
