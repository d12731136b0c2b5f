// learnt.js - what the model learnt about the objective, in the user's units.
import { el } from "../dom.js";
import { count, number, percent, real, sentence } from "../format.js";
import { facts } from "./words.js";

function scatter({ noise_sd: noise, signal_sd: signal }) {
    const share = real(noise) / real(signal);
    if (!Number.isFinite(share)) return null;
    const apart = number(2 * Math.SQRT2 * real(noise), 2); // 95 % of differences of two measurements of one point
    return `The noise is ${percent(share, share < 0.1 ? 1 : 0)} of the objective's spread: two single measurements less `
        + `than about ${apart} apart may differ by chance alone.`;
}

export function learnt({ nothing, model, why }, context) {
    if (!model) return [el("p", { class: "note" }, sentence(nothing ?? why ?? "there is no model yet"))];
    const { coverage_bound: bound } = model;
    return [
        el("p", { class: "note" }, scatter(model)),
        facts([
            ["noise", `${number(model.noise_sd)} (standard deviation of a measurement)`],
            ["signal", `${number(model.signal_sd)} (standard deviation of the objective over the search space)`],
            ["learnt from", `${count(model.results)} results, ${count(model.fits)} fits`],
            ["guaranteed coverage", bound === null ? null : `at least ${percent(bound, 1)} so far`],
        ]),
        model.guarantee ? el("p", { class: "note" }, sentence(model.guarantee)) : null,
        el("p", {}, el("a", { href: context.link("model") }, "What the model believes")),
    ];
}
