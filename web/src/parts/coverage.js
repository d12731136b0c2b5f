// coverage.js - the share of announced sets that held their measurement, and the target.
import { el } from "../dom.js";
import { percent, plural } from "../format.js";
import { nameOf } from "../names.js";
import { sinceWords } from "./verdict.js";

const FEW = 15;

function sentence(c) {
    if (c.coverage < c.low) return el("p", { class: "warning" },
        "Below the band: the model has been overconfident so far.");
    return el("p", { class: "note" }, c.coverage > c.high
        ? "Above the band: the sets were wider than they needed to be so far."
        : `Inside the band: these counts do not contradict the target${c.judged < FEW ? ", but there are too few to contradict it" : ""}.`);
}

/** A scale from 0 to 100 % with the band, the target and the observed share. */
function gauge(c) {
    const at = (share) => `${100 * Math.min(1, Math.max(0, share))}%`;
    const markAt = (kind, from, to = null) => {
        const mark = el("span", { class: kind });
        mark.style.left = at(from);
        if (to !== null) mark.style.width = at(to - from);
        return mark;
    };
    const band = `${percent(c.low)} to ${percent(c.high)}`;
    const words = `${percent(c.coverage)} covered, target ${percent(c.target)}, band ${band}`;
    return el("div", { class: "gauge", role: "img", "aria-label": words, title: words },
        markAt("gauge-band", c.low, c.high), markAt("gauge-target", c.target),
        markAt(c.coverage < c.low ? "gauge-found low" : "gauge-found", c.coverage));
}

/** After an alteration: what is counted. */
const sinceNote = (c) => (c.since ? el("p", { class: "note" }, sinceWords(c)) : null);

/** Each output's share beside its band. */
const outputRow = (c, context) => el("tr", {},
    el("th", { scope: "row" }, el("a", { href: context.link("calibration", { output: c.output }) }, nameOf(c.output, 22))),
    el("td", { class: "number" }, percent(c.coverage)), el("td", { class: "gauge-cell" }, gauge(c)),
    el("td", { class: "number soft" }, plural(c.judged - c.inside, "miss", "misses")));

/** Of a study with a table of outputs: each output, and all of them together. */
function byOutput({ coverage_by_output: list, coverage_together: all }, context) {
    const low = list.filter((c) => c.coverage < c.low).map((c) => c.output);
    return [
        el("p", { class: "note" }, `The shares of measurements that lay in the set announced for them (target `
            + `${percent(list[0].target)}); a band holds the share 19 times out of 20 if every set holds its measurement with `
            + "the target probability."),
        sinceNote(list[0]),
        el("table", { class: "by-output" }, el("tbody", {}, list.map((c) => outputRow(c, context)))),
        low.length ? el("p", { class: "warning" },
            `Below the band: ${low.join(", ")}. The model has been overconfident so far.`) : null,
        all && list.length > 1 ? el("p", {}, el("b", {}, percent(all.coverage)), el("span", { class: "soft" },
            ` of ${plural(all.judged, "trial")}: all outputs at once inside their sets. The target is for each output `
            + "alone.")) : null,
        el("p", {}, el("a", { href: context.link("trials", { miss: 1 }) }, "Misses"), " · ",
            el("a", { href: context.link("calibration") }, "Calibration")),
    ];
}

/** Of an overview. */
export function coverage(overview, context) {
    const c = overview.coverage;
    if (overview.coverage_by_output?.length) return byOutput(overview, context);
    if (!c) return [el("p", { class: "note" }, "Nothing to judge yet: sets are announced for trials that the model "
        + "proposes, and none of those has been measured.")];
    if (c.judged === 0) return [sinceNote(c)];
    return [
        el("p", {}, el("span", { class: "big" }, percent(c.coverage)), " ",
            el("span", { class: "soft" },
                `of ${plural(c.judged, "measurement")} lay in the set announced for them (target ${percent(c.target)})`)),
        gauge(c), sinceNote(c),
        el("p", { class: "note" }, `The band goes from ${percent(c.low)} to ${percent(c.high)}: if every set held its `
            + "measurement with the target probability, the share would lie there 19 times out of 20."),
        sentence(c),
        el("p", {},
            el("a", { href: context.link("trials", { miss: 1 }) }, plural(c.judged - c.inside, "miss", "misses")), " · ",
            el("a", { href: context.link("calibration") }, "Calibration")),
    ];
}
