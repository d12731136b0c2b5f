// ticks.js - labels of ticks that fit: categories cut to their room, and none that would run into its neighbour.
import { select } from "d3";

const CHAR = 6.3;
export const short = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text);

/** Cut a label to `room` pixels; the pointer still finds all of it. */
function cut(node, text, room) {
    const less = short(text, Math.max(3, Math.floor(room / CHAR)));
    select(node).text(less);
    if (less !== text) select(node).append("title").text(text);
}

/** Of an axis below a plot, as axes() drew it. `scale` is the one it was drawn with. */
export function fitAcross(g, scale) {
    const texts = g.selectAll(".axis.x .tick text");
    if (!scale.ticks) texts.each(function (text) { cut(this, text, scale.step() - 4); });
    let end = -Infinity;
    texts.each(function (value) {
        const half = this.getComputedTextLength() / 2, at = scale(value);
        if (at - half < end + 5) this.remove();
        else end = at + half;
    });
}

/** Of an axis beside a plot: `room` pixels to its left. */
export function fitUp(g, scale, room) {
    if (!scale.ticks) g.selectAll(".axis.y .tick text").each(function (text) { cut(this, text, room); });
}

/** How many ticks to ask for: every category, if its axis is long enough for a line of text each. */
export const wantedTicks = (parameter, length, each) => (parameter?.type === "categorical"
    ? Math.min(parameter.values.length, Math.floor(length / 13))
    : parameter?.type === "int" ? Math.max(1, Math.min(parameter.high - parameter.low, Math.floor(length / each)))
        : Math.max(2, Math.floor(length / each)));
