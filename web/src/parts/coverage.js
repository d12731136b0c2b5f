// coverage.js - the share of announced sets that held their measurement, and the target.
import { el } from "../dom.js";
import { percent, plural } from "../format.js";

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

export function coverage(c, context) {
    if (!c) return [el("p", { class: "note" }, "Nothing to judge yet: sets are announced for trials that the model "
        + "proposes, and none of those has been measured.")];
    return [
        el("p", {}, el("span", { class: "big" }, percent(c.coverage)), " ",
            el("span", { class: "soft" },
                `of ${plural(c.judged, "measurement")} lay in the set announced for them (target ${percent(c.target)})`)),
        gauge(c),
        el("p", { class: "note" }, `The band goes from ${percent(c.low)} to ${percent(c.high)}: if every set held its `
            + "measurement with the target probability, the share would lie there 19 times out of 20."),
        sentence(c),
        el("p", {},
            el("a", { href: context.link("trials", { miss: 1 }) }, plural(c.judged - c.inside, "miss", "misses")), " · ",
            el("a", { href: context.link("calibration") }, "Calibration")),
    ];
}
