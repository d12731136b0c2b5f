// volume.js - the hypervolume that the measured front dominates, trial by trial.
import { scaleLinear } from "d3";
import { digitsOf } from "../digits.js";
import { number, real } from "../format.js";
import { axes, key, numberScale } from "./axes.js";
import { hover } from "./hover.js";
import { roomBeside } from "./ticks.js";

/** The answer of /api/hypervolume as rows {trial, volume}. */
export const volumeRows = ({ trial, volume }) => trial.map((t, i) => ({ trial: t, volume: real(volume[i]) }));

/** data {rows, last: the newest trial's number} */
export function drawVolume(svg, { width, height, data: { rows, last } }) {
    const values = [0, ...rows.map((r) => r.volume)], left = roomBeside(numberScale(values, [height - 70, 0], 0.05, 0));
    const top = key(svg, [{ mark: "line", class: "best step", text: "hypervolume" }], left, 10, width - left) + 14;
    const margin = { top, right: 14, bottom: 40, left };
    const x = scaleLinear([1, Math.max(2, last, rows.at(-1).trial)], [left + 4, width - margin.right - 4]);
    const y = numberScale(values, [height - margin.bottom, top], 0.05, 0), digits = digitsOf(values, 5);
    const whole = Math.max(1, Math.min(x.domain()[1] - 1, Math.floor((width - left) / 80)));
    axes(svg, { x, y, width, height, margin, xLabel: "trial", yLabel: "hypervolume", xTicks: whole });
    const path = rows.map((r, i) => `${i ? `H${x(r.trial)}V` : `M${x(r.trial)},`}${y(r.volume)}`).join("");
    svg.append("path").attr("class", "best step").attr("d", `${path}H${x.range()[1]}`);
    if (rows.length < 60) svg.append("g").selectAll("circle").data(rows).join("circle").attr("class", "best").attr("r", 3)
        .attr("cx", (r) => x(r.trial)).attr("cy", (r) => y(r.volume));
    hover(svg, {
        box: { x: left, y: top, width: width - left - margin.right, height: height - margin.bottom - top }, rows,
        position: (r) => x(r.trial), lines: (r) => [`Trial ${r.trial}`, `hypervolume ${number(r.volume, digits)}`],
    });
}

export const volumeTable = ({ rows }) => ({ columns: ["trial", "hypervolume"], rows: rows.map((r) => [r.trial, r.volume]) });
