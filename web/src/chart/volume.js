// volume.js - the hypervolume that the measured front dominates, trial by trial.
import { scaleLinear } from "d3";
import { digitsOf } from "../digits.js";
import { number, real } from "../format.js";
import { axes, key, numberScale } from "./axes.js";
import { hover } from "./hover.js";
import { roomBeside } from "./ticks.js";

/** The answer of /api/hypervolume as rows {trial, completed: how many trials were complete then, volume}. */
export const volumeRows = ({ trial, completed, volume }) => trial.map((t, i) => ({
    trial: t, completed: completed[i], volume: real(volume[i]),
}));

/** data {rows, complete: how many trials are} */
export function drawVolume(svg, { width, height, data: { rows, complete } }) {
    const values = [0, ...rows.map((r) => r.volume)], left = roomBeside(numberScale(values, [height - 70, 0], 0.05, 0));
    const top = key(svg, [{ mark: "line", class: "best step", text: "hypervolume" }], left, 10, width - left) + 14;
    const margin = { top, right: 14, bottom: 40, left };
    const x = scaleLinear([1, Math.max(2, complete)], [left + 4, width - margin.right - 4]);
    const y = numberScale(values, [height - margin.bottom, top], 0.05, 0), digits = digitsOf(values, 5);
    const whole = Math.max(1, Math.min(x.domain()[1] - 1, Math.floor((width - left) / 80)));
    axes(svg, { x, y, width, height, margin, xLabel: "completed trials", yLabel: "hypervolume", xTicks: whole });
    const path = rows.map((r, i) => `${i ? `H${x(r.completed)}V` : `M${x(r.completed)},`}${y(r.volume)}`).join("");
    svg.append("path").attr("class", "best step").attr("d", `${path}H${x.range()[1]}`);
    if (rows.length < 60) svg.append("g").selectAll("circle").data(rows).join("circle").attr("class", "best").attr("r", 3)
        .attr("cx", (r) => x(r.completed)).attr("cy", (r) => y(r.volume));
    hover(svg, {
        box: { x: left, y: top, width: width - left - margin.right, height: height - margin.bottom - top }, rows,
        position: (r) => x(r.completed), lines: (r) => [`Trial ${r.trial}`, `hypervolume ${number(r.volume, digits)}`],
    });
}

export const volumeTable = ({ rows }) => ({
    columns: ["completed trials", "trial", "hypervolume"], rows: rows.map((r) => [r.completed, r.trial, r.volume]),
});
