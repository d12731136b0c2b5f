// ramp.js - colours for numbers, and the bar that says which is which.
import {
    axisBottom, interpolateCividis, interpolateMagma, interpolatePuOr, interpolateViridis, lab, quantileSorted, range,
    scaleDiverging, scaleLinear, scaleSequential,
} from "d3";
import { number } from "../format.js";

const RAMPS = { viridis: interpolateViridis, cividis: interpolateCividis, magma: interpolateMagma };

/** [low, high] of the finite numbers, never empty; `clip`: the share at the low end that may fall out of it. */
export function span(values, clip = 0) {
    const finite = values.filter(Number.isFinite).sort((a, b) => a - b);
    if (!finite.length) return [0, 1];
    const low = clip ? quantileSorted(finite, clip) : finite[0], high = finite[finite.length - 1];
    const room = low === high ? 0.5 * Math.max(Math.abs(low), 1e-9) : 0;
    return [low - room, high + room];
}

/** A colour for each number of [low, high]; beyond them the last one. `centre`: where a diverging ramp is neutral. */
export function colours([low, high], { ramp = "viridis", centre = null } = {}) {
    if (centre === null) return scaleSequential([low, high], RAMPS[ramp]).clamp(true);
    const most = Math.max(Math.abs(low - centre), Math.abs(high - centre));
    return scaleDiverging([centre - most, centre, centre + most], (t) => interpolatePuOr(1 - t)).clamp(true);
}

/** Whether the page is dark now: the picture's own background tells. */
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
    colour.domain = () => [low, high];
    return colour;
}

/** Whether a light line stands out on this colour. */
export const deep = (colour) => lab(colour).l < 62;

/** A horizontal bar from (x, y), 38 high, with ticks below; returns the ticks. `label` stands before it. */
export function colourBar(svg, { colour, x, y, width, label, ticks = 6 }) {
    const domain = colour.domain(), ends = [domain[0], domain[domain.length - 1]];
    const scale = scaleLinear(ends, [x, x + width]);
    const g = svg.append("g").attr("class", "colour-bar");
    const steps = 80, wide = width / steps;
    g.selectAll("rect").data(range(steps)).join("rect").attr("x", (i) => x + i * wide).attr("y", y + 12)
        .attr("width", wide + 0.6).attr("height", 9).attr("fill", (i) => colour(scale.invert(x + (i + 0.5) * wide)));
    const wanted = Math.max(2, Math.min(ticks, Math.floor(width / 62)));
    g.append("g").attr("class", "axis bar").attr("transform", `translate(0,${y + 21})`)
        .call(axisBottom(scale).ticks(wanted).tickSize(4).tickSizeOuter(0).tickFormat((v) => number(v, 5)));
    g.append("text").attr("class", "label").attr("x", x).attr("y", y + 7).text(label);
    return scale.ticks(wanted);
}
