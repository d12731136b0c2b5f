// learnt.js - what the model learnt about the objective, in the user's units.
import { el } from "../dom.js";
import { count, number, percent, real } from "../format.js";
import { facts } from "./words.js";

function sentence({ noise_sd: noise, signal_sd: signal }) {
    const share = real(noise) / real(signal);
    if (!Number.isFinite(share)) return null;
    if (share < 0.05) return "Measurements hardly scatter: repeating one would give nearly the same value.";
    if (share < 0.5) return "Measurements scatter less than the objective varies: single values can be compared with some care.";
    return "Measurements scatter about as much as the objective varies: trust the model's mean rather than single values.";
}

export function learnt({ nothing, model, why }, context) {
    if (!model) return [el("p", { class: "note" }, nothing ?? why ?? "There is no model yet.")];
    return [
        el("p", { class: "note" }, sentence(model)),
        facts([
            ["noise", `${number(model.noise_sd)} (standard deviation of a measurement)`],
            ["signal", `${number(model.signal_sd)} (standard deviation of the objective over the search space)`],
            ["learnt from", `${count(model.results)} results, ${count(model.fits)} fits`],
            ["coverage guaranteed", model.coverage_bound === null ? null : `at least ${percent(model.coverage_bound, 1)} so far`],
        ]),
        model.guarantee ? el("p", { class: "note" }, model.guarantee) : null,
        el("p", {}, el("a", { href: context.link("model") }, "What the model believes")),
    ];
}
