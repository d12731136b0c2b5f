// axes.js - scales for parameters and numbers, and their axes.
import { axisBottom, axisLeft, extent, scaleLinear, scaleLog, scalePoint, scaleSymlog } from "d3";
import { short } from "../names.js";
import { hasWords } from "../points.js";
import { tickPlan, ticksUp } from "./ticks.js";

/** The scale of a parameter (as docs/api.md's definition has it) over a range of pixels. */
export function parameterScale(parameter, range) {
    if (hasWords(parameter)) return scalePoint(parameter.values, range).padding(0.5);
    if (parameter.log && parameter.low <= 0) return scaleSymlog([parameter.low, parameter.high], range); // log(1 + x)
    if (parameter.log) return scaleLog([parameter.low, parameter.high], range);
    if (parameter.low === parameter.high) return scaleLinear([parameter.low - 0.5, parameter.high + 0.5], range);
    return scaleLinear([parameter.low, parameter.high], range);
}

/** A linear scale over the finite ones of some numbers, with a little room, but none below `floor`. */
export function numberScale(values, range, room = 0.05, floor = -Infinity) {
    let [low, high] = extent(values.filter(Number.isFinite));
    if (low === undefined) [low, high] = [0, 1];
    if (low === high) [low, high] = [low - Math.max(1, Math.abs(low)) * 0.5, high + Math.max(1, Math.abs(high)) * 0.5];
    const more = room * (high - low);
    return scaleLinear([Math.max(floor, low - more), high + more], range).nice();
}

/** The label of an axis, cut to its length, with the whole text as the tooltip. */
function addLabel(svg, text, more, { length, at }) {
    if (text === null) return;
    const less = short(text, Math.max(8, length / 6.6 - more.length));
    const label = svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("transform", at)
        .text([less, more].filter(Boolean).join(", "));
    if (less !== text) label.append("title").text(text);
}

/** Both axes with their labels (null: none) and light lines across; margin {top, right, bottom, left} is where the plot
 *  ends. */
export function axes(svg, { x, y, width, height, margin, xLabel = "", yLabel = "", xTicks, yTicks }) {
    const bottom = height - margin.bottom, right = width - margin.right;
    const across = tickPlan(x, xTicks ?? Math.max(2, Math.floor((right - margin.left) / 80)));
    const up = tickPlan(y, yTicks ?? ticksUp(y));
    const withTicks = (axis, { values, text }, size) => axis.tickValues(values).tickFormat(text)
        .tickSizeOuter(0).tickSizeInner(-size).tickPadding(7);
    svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${bottom})`)
        .call(withTicks(axisBottom(x), across, bottom - margin.top));
    svg.append("g").attr("class", "axis y").attr("transform", `translate(${margin.left},0)`)
        .call(withTicks(axisLeft(y), up, right - margin.left));
    addLabel(svg, xLabel, across.more,
        { length: right - margin.left, at: `translate(${(margin.left + right) / 2},${height - 4})` });
    addLabel(svg, yLabel, up.more,
        { length: bottom - margin.top, at: `translate(12,${(margin.top + bottom) / 2}) rotate(-90)` });
}

/** A key: entries [{mark, class, text}] in a row from (x, y), more rows if need be; mark is one of MARKS. Returns the last
 *  row's y. */
export function key(svg, entries, x, y, width) {
    let at = x, row = y;
    for (const entry of entries) {
        const g = svg.append("g").attr("class", "key");
        MARKS[entry.mark](g).attr("class", entry.class);
        const text = g.append("text").attr("x", 21).attr("y", 4).text(entry.text);
        const wide = 21 + text.node().getComputedTextLength();
        if (at > x && at + wide > x + width) [at, row] = [x, row + 17];
        g.attr("transform", `translate(${at},${row})`);
        at += wide + 16;
    }
    return row;
}
/** How many rows key() needs, by the usual width of a character. */
export function keyRows(entries, width) {
    let at = 0, rows = 1;
    for (const { text } of entries) {
        const wide = 21 + 6.5 * text.length;
        if (at > 0 && at + wide > width) [at, rows] = [0, rows + 1];
        at += wide + 16;
    }
    return rows;
}
const MARKS = {
    line: (g) => g.append("line").attr("x1", 0).attr("x2", 16),
    band: (g) => g.append("rect").attr("y", -5).attr("width", 16).attr("height", 10),
    dot: (g) => g.append("circle").attr("cx", 8).attr("r", 4),
    ring: (g) => g.append("circle").attr("cx", 8).attr("r", 4),
    cross: (g) => g.append("path").attr("d", "M4,-4L12,4M12,-4L4,4"),
    tick: (g) => g.append("path").attr("d", "M8,-5V5"),
    triangle: (g) => g.append("path").attr("d", "M4,4L8,-4L12,4Z"),
    square: (g) => g.append("path").attr("d", "M4,-4h8v8h-8z"),
    diamond: (g) => g.append("path").attr("d", "M8,-5L13,0L8,5L3,0Z"),
};
