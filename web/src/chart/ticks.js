// ticks.js - which ticks an axis has and how they are written: with the digits that tell them apart, categories cut to their
// room, and none that would run into its neighbour.
import { select } from "d3";
import { digitsFor, offsetOf } from "../digits.js";
import { number } from "../format.js";
import { short } from "../names.js";
import { hasWords, stepOf as valueStep } from "../points.js";

const CHAR = 6.3, WIDE = 6.9;

/** Ticks of a logarithmic scale: powers of ten, if there are enough of them. */
export function powers(scale, wanted) {
    const all = scale.ticks().filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    return all.length > 1 ? all : scale.ticks(wanted);
}

const stepOf = (values, [low, high]) => (values.length > 1 ? Math.abs(values[1] - values[0]) : high - low);

/** Numbers up to this size, all in the same way if they are small. */
const writer = (size, digits) => (v) => number(v, digits, size < 1e-3 ? 1e-3 : 1e-4);

/** {values, text(v), more}: the ticks, how each is written, and what the label of the axis has to add: "" or "1000000 + …",
 *  if the ticks say only what comes on top of that. */
export function tickPlan(scale, wanted) {
    if (!scale.ticks) {
        const all = scale.domain(), each = Math.ceil(all.length / Math.max(1, wanted));
        return { values: all.filter((_, i) => i % each === 0), text: (v) => short(v, 14), more: "" };
    }
    const values = scale.base ? powers(scale, wanted) : scale.ticks(wanted), [low, high] = scale.domain();
    const step = stepOf(values, [low, high]), size = Math.max(Math.abs(low), Math.abs(high));
    const base = scale.base ? 0 : offsetOf(low, high, step);
    if (!base) return { values, text: writer(size, digitsFor(size, step, scale.base ? 3 : 6)), more: "" };
    const rest = Math.max(Math.abs(low - base), Math.abs(high - base)), text = writer(rest, digitsFor(rest, step, 1));
    return { values, text: (v) => text(v - base), more: `${number(base, 12)} + …` };
}

/** How many ticks fit beside a plot as high as the range of its scale. */
export const ticksUp = (scale) => Math.max(2, Math.floor(Math.abs(scale.range()[0] - scale.range()[1]) / 45));

/** Pixels to the left of a plot, for its widest tick and a label. */
export function roomBeside(scale, wanted = ticksUp(scale)) {
    const { values, text } = tickPlan(scale, wanted);
    return Math.max(50, 31 + WIDE * Math.max(0, ...values.map((v) => text(v).length)));
}

/** Cut a label to `room` pixels, with the whole text as the tooltip. */
function cut(node, value, room) {
    const text = String(value), less = short(text, Math.max(3, Math.floor(room / CHAR)));
    select(node).text(less);
    if (less !== text) select(node).append("title").text(text);
}

/** How round a number of a logarithmic axis is: powers of ten come before 5, 2 and the rest. */
const roundness = (v) => {
    const place = [1, 5, 2].indexOf(Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9)));
    return place < 0 ? 3 : place;
};

/** Remove texts of ticks that would run into others, the rounder ones of a logarithmic scale last; half(node): half of the
 *  room that it takes along its axis. */
function dropCrowded(texts, scale, half) {
    const all = texts.nodes().map((node, i) => ({ node, at: scale(texts.data()[i]), half: half(node), value: texts.data()[i] }));
    if (scale.base) all.sort((a, b) => roundness(a.value) - roundness(b.value));
    const kept = [];
    for (const tick of all) {
        if (kept.some((other) => Math.abs(other.at - tick.at) < other.half + tick.half)) tick.node.remove();
        else kept.push(tick);
    }
}

/** Of an axis below a plot, as axes() drew it. `scale` is the one it was drawn with. */
export function fitAcross(g, scale) {
    const texts = g.selectAll(".axis.x .tick text");
    if (!scale.ticks) texts.each(function (text) { cut(this, text, scale.step() - 4); });
    dropCrowded(texts, scale, (node) => node.getComputedTextLength() / 2 + 2.5);
}

/** Of an axis beside a plot: `room` pixels to its left. */
export function fitUp(g, scale, room) {
    if (scale.base) dropCrowded(g.selectAll(".axis.y .tick text"), scale, () => 6);
    if (!scale.ticks) g.selectAll(".axis.y .tick text").each(function (text) { cut(this, text, room); });
}

/** How many ticks to ask for: every category, if its axis is long enough for a line of text each. */
export const wantedTicks = (parameter, length, each) => (parameter && hasWords(parameter)
    ? Math.min(parameter.values.length, Math.floor(length / 13))
    : parameter?.type === "int"
        ? Math.max(1, Math.min((parameter.high - parameter.low) / valueStep(parameter), Math.floor(length / each)))
        : Math.max(2, Math.floor(length / each)));
