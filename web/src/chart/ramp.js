// ramp.js - colours for numbers, and the colour bar.
import {
    axisBottom, interpolateCividis, interpolateMagma, interpolatePuOr, interpolateViridis, lab, quantileSorted, range,
    scaleDiverging, scaleLinear, scaleSequential,
} from "d3";
import { tickPlan } from "./ticks.js";

const RAMPS = { viridis: interpolateViridis, cividis: interpolateCividis, magma: interpolateMagma };

/** [low, high] of the finite numbers, never empty; `clip`: the share at the low end that may fall out of it; `least`: how
 *  wide it is at least, so that what hardly differs looks alike. */
export function span(values, clip = 0, least = 0) {
    const finite = values.filter(Number.isFinite).sort((a, b) => a - b);
    if (!finite.length) return [0, 1];
    const low = clip ? quantileSorted(finite, clip) : finite[0], high = finite[finite.length - 1];
    const wanted = low === high ? Math.max(least, Math.abs(low), 1e-9) : least;
    const room = Math.max(0, wanted - (high - low)) / 2;
    return [low - room, high + room];
}

/** Which ends of [low, high] have values beyond them. */
const beyond = (values, [low, high]) => ({ low: values.some((v) => v < low), high: values.some((v) => v > high) });

function scaleOf([low, high], { ramp = "viridis", centre = null }) {
    if (centre === null) return scaleSequential([low, high], RAMPS[ramp]).clamp(true);
    const most = Math.max(Math.abs(low - centre), Math.abs(high - centre));
    return scaleDiverging([centre - most, centre, centre + most], (t) => interpolatePuOr(1 - t)).clamp(true);
}

/** A colour for each number of [low, high], ends of a part of `values`; beyond them the last one, and `.beyond` says so.
 *  `centre`: where a diverging ramp is neutral. */
export const colours = (ends, values, how) => Object.assign(scaleOf(ends, how), { beyond: beyond(values, ends) });

/** Whether the page is dark, by the background of the picture. */
const dark = () => lab(getComputedStyle(document.body).backgroundColor).l < 50;

/** The range of all but outliers, which lie more than one and a half times the middle half's width beyond it. */
function usual(values) {
    const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
    if (!sorted.length) return [0, 1];
    const [first, third] = [quantileSorted(sorted, 0.25), quantileSorted(sorted, 0.75)], reach = 1.5 * (third - first);
    const [low, high] = [Math.max(sorted[0], first - reach), Math.min(sorted[sorted.length - 1], third + reach)];
    return low < high ? [low, high] : span(sorted);
}

/** Colours for lines and dots on the page's background, the best value farthest from it; outliers share the last one. */
export function standing(values, direction) {
    const [low, high] = usual(values);
    const [worst, best] = dark() ? [0.32, 1] : [0.84, 0];
    const ends = direction === "maximize" ? [worst, best] : [best, worst];
    const at = scaleLinear([low, high], ends).clamp(true);
    const colour = (value) => interpolateViridis(at(value));
    return Object.assign(colour, { domain: () => [low, high], beyond: beyond(values, [low, high]) });
}

/** Whether a light line is visible on this colour. */
export const deep = (colour) => lab(colour).l < 62;

/** Signs at the ends of a bar that include all values beyond them. */
function drawBeyond(g, { low, high }, { x, y, width }) {
    const sign = (text, at, anchor) => g.append("text").attr("class", "label").attr("text-anchor", anchor)
        .attr("x", at).attr("y", y + 21).text(text).append("title").text("values beyond this end have its colour");
    if (low) sign("≤", x - 3, "end");
    if (high) sign("≥", x + width + 3, "start");
}

/** A horizontal bar from (x, y), 38 high, with ticks below; returns the ticks. `label` is above it. */
export function colourBar(svg, { colour, x, y, width, label, ticks = 6 }) {
    const domain = colour.domain(), ends = [domain[0], domain[domain.length - 1]];
    const scale = scaleLinear(ends, [x, x + width]);
    const g = svg.append("g").attr("class", "colour-bar");
    const steps = 80, wide = width / steps;
    g.selectAll("rect").data(range(steps)).join("rect").attr("x", (i) => x + i * wide).attr("y", y + 12)
        .attr("width", wide + 0.6).attr("height", 9).attr("fill", (i) => colour(scale.invert(x + (i + 0.5) * wide)));
    const wanted = Math.max(2, Math.min(ticks, Math.floor(width / 62)));
    const { values, text, more } = tickPlan(scale, wanted);
    g.append("g").attr("class", "axis bar").attr("transform", `translate(0,${y + 21})`)
        .call(axisBottom(scale).tickValues(values).tickSize(4).tickSizeOuter(0).tickFormat(text));
    g.append("text").attr("class", "label").attr("x", x).attr("y", y + 7).text([label, more].filter(Boolean).join(", "));
    drawBeyond(g, colour.beyond, { x, y, width });
    return values;
}
