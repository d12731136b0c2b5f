// learnt.js - what the model learnt about the objective, in the user's units.
import { el } from "../dom.js";
import { number, percent, plural, real, sentence } from "../format.js";
import { facts } from "./words.js";

/** 95 % of the differences of two measurements at one point are below 1.96 sqrt(2) noise_sd. */
function apart({ noise_sd: noise }) {
    const far = 1.96 * Math.SQRT2 * real(noise);
    return far > 0 ? "By the fitted noise alone, two measurements of one point would lie less than about "
        + `${number(far, 2)} apart, 19 times out of 20.` : null;
}

export function learnt({ nothing, model, why }, context) {
    if (!model) return [el("p", { class: "note" }, sentence(nothing ?? why ?? "there is no model yet"))];
    const { coverage_bound: bound, coverage_online: online } = model;
    return [
        apart(model) ? el("p", { class: "note" }, apart(model)) : null,
        facts([
            ["fitted noise", `${number(model.noise_sd)} (standard deviation beyond any error told with the measurements)`],
            ["amplitude", `${number(model.signal_sd)} (the model's standard deviation before any result; not the spread `
                + "of the objective)"],
            ["learnt from", `${plural(model.results, "result")}, ${plural(model.fits, "fit")}`],
            ["online coverage", online === null ? null : `${percent(online, 1)} (judged by the threshold when the result was told; a `
                + "guarantee is about this one)"],
            ["guaranteed", bound === null ? null : `online coverage of at least ${percent(bound, 1)} so far`],
        ]),
        model.guarantee ? el("p", { class: "note" }, sentence(model.guarantee)) : null,
        el("p", {}, el("a", { href: context.link("model") }, "What the model believes")),
    ];
}
