// bars.js - two shares for each name, alone and in all, the largest first.
import { scaleLinear } from "d3";
import { percent } from "../format.js";
import { short } from "../names.js";

const HIGH = 26, TOP = 6;

export const barsHeight = (_, data) => TOP + HIGH * data.length + 30;

const widest = (data) => 16 + 7.5 * Math.max(4, ...data.map((d) => d.name.length));

/** data [{name, first, share, length}], ordered. */
export function drawBars(svg, { width, data }) {
    const left = Math.min(width < 380 ? 130 : 190, 0.42 * width, widest(data)), right = width - 150 > left + 60 ? 150 : 56;
    const most = Math.max(...data.map((d) => Math.max(d.share, d.first))) || 1;
    const X = scaleLinear([0, most], [0, width - left - right]);
    const rows = svg.selectAll(".share").data(data).join("g").attr("class", "share")
        .attr("transform", (_, i) => `translate(0,${TOP + i * HIGH})`);
    rows.append("text").attr("class", "name").attr("x", left - 8).attr("y", 17).attr("text-anchor", "end")
        .text((d) => short(d.name, Math.floor((left - 8) / 7.2))).append("title").text((d) => d.name);
    rows.append("rect").attr("class", "share-bar").attr("x", left).attr("y", 5)
        .attr("height", HIGH - 10).attr("width", (d) => X(d.share));
    rows.append("rect").attr("class", "share-bar alone").attr("x", left).attr("y", 9)
        .attr("height", HIGH - 18).attr("width", (d) => X(d.first));
    rows.append("text").attr("class", "amount").attr("x", (d) => left + X(Math.max(d.share, d.first)) + 6).attr("y", 17)
        .text((d) => `${percent(d.share)}${right > 100 ? `  (alone ${percent(d.first)})` : ""}`);
    svg.append("text").attr("class", "label").attr("x", left).attr("y", TOP + HIGH * data.length + 20)
        .text("share of the variance (dark: alone)");
}

export const barsTable = (data) => ({
    columns: ["parameter", "alone", "in all", "length scale"], rows: data.map((d) => [d.name, d.first, d.share, d.length]),
});
