// axes.js - scales for parameters and numbers, and their axes.
import { axisBottom, axisLeft, extent, scaleLinear, scaleLog, scalePoint } from "d3";
import { number } from "../format.js";

/** The scale of a parameter (as docs/api.md's definition has it) over a range of pixels. */
export function parameterScale(parameter, range) {
    if (parameter.type === "categorical") return scalePoint(parameter.values, range).padding(0.5);
    if (parameter.log) return scaleLog([parameter.low, parameter.high], range);
    if (parameter.low === parameter.high) return scaleLinear([parameter.low - 0.5, parameter.high + 0.5], range);
    return scaleLinear([parameter.low, parameter.high], range);
}

/** A linear scale over the finite ones of some numbers, with a little room. */
export function numberScale(values, range, room = 0.05) {
    let [low, high] = extent(values.filter(Number.isFinite));
    if (low === undefined) [low, high] = [0, 1];
    if (low === high) [low, high] = [low - Math.max(1, Math.abs(low)) * 0.5, high + Math.max(1, Math.abs(high)) * 0.5];
    const more = room * (high - low);
    return scaleLinear([low - more, high + more], range).nice();
}

const ticksOf = (axis, scale, wanted) => {
    if (!scale.ticks) { // categories: as many as fit
        const all = scale.domain(), step = Math.ceil(all.length / Math.max(1, wanted));
        return axis.tickValues(all.filter((_, i) => i % step === 0))
            .tickFormat((v) => (v.length > 14 ? v.slice(0, 13) + "…" : v));
    }
    if (scale.base) { // logarithmic: powers of ten, if there are enough of them
        const powers = scale.ticks().filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
        return axis.tickValues(powers.length > 1 ? powers : scale.ticks(wanted)).tickFormat((v) => number(v, 3));
    }
    return axis.ticks(wanted).tickFormat((v) => number(v, 6));
};

/** Both axes with their labels and light lines across; margin {top, right, bottom, left} is where the plot ends. */
export function axes(svg, { x, y, width, height, margin, xLabel = "", yLabel = "", xTicks, yTicks }) {
    const bottom = height - margin.bottom, right = width - margin.right;
    const xAxis = ticksOf(axisBottom(x), x, xTicks ?? Math.max(2, Math.floor((right - margin.left) / 80)));
    const yAxis = ticksOf(axisLeft(y), y, yTicks ?? Math.max(2, Math.floor((bottom - margin.top) / 45)));
    svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${bottom})`)
        .call(xAxis.tickSizeOuter(0).tickSizeInner(-(bottom - margin.top)).tickPadding(7));
    svg.append("g").attr("class", "axis y").attr("transform", `translate(${margin.left},0)`)
        .call(yAxis.tickSizeOuter(0).tickSizeInner(-(right - margin.left)).tickPadding(7));
    svg.append("text").attr("class", "label").attr("x", (margin.left + right) / 2).attr("y", height - 4)
        .attr("text-anchor", "middle").text(xLabel);
    svg.append("text").attr("class", "label").attr("transform", `translate(12,${(margin.top + bottom) / 2}) rotate(-90)`)
        .attr("text-anchor", "middle").text(yLabel);
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
const MARKS = {
    line: (g) => g.append("line").attr("x1", 0).attr("x2", 16),
    band: (g) => g.append("rect").attr("y", -5).attr("width", 16).attr("height", 10),
    dot: (g) => g.append("circle").attr("cx", 8).attr("r", 4),
    ring: (g) => g.append("circle").attr("cx", 8).attr("r", 4),
    cross: (g) => g.append("path").attr("d", "M4,-4L12,4M12,-4L4,4"),
    tick: (g) => g.append("path").attr("d", "M8,-5V5"),
    triangle: (g) => g.append("path").attr("d", "M4,4L8,-4L12,4Z"),
    diamond: (g) => g.append("path").attr("d", "M8,-5L13,0L8,5L3,0Z"),
};
