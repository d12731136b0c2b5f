// marks.js - what charts of trials share: the shape of a cross, lines across a plot, a trial in words.
import { number, value as words } from "../format.js";
import { isFailed } from "../points.js";

export const cross = (r) => `M${-r},${-r}L${r},${r}M${r},${-r}L${-r},${r}`;

/** A level line from one side of the plot to the other. */
export const across = (g, box, y) => g.append("line")
    .attr("x1", box.x).attr("x2", box.x + box.width).attr("y1", y).attr("y2", y);

/** A row of points.js, line by line, its value with so many digits. */
export const trialLines = ({ trial, state, value, params }, digits = 6) => [
    `Trial ${trial}`, isFailed({ state }) ? state.toLowerCase() : `value ${number(value, digits)}`,
    ...Object.entries(params).map(([name, v]) => `${name} = ${words(v)}`),
];
