// learnt.js - what the model learnt about the objective, in the user's units.
import { el } from "../dom.js";
import { number, percent, plural, real, sentence } from "../format.js";
import { nameOf } from "../names.js";
import { facts } from "./words.js";

/** 95 % of the differences of two measurements at one point are below 1.96 sqrt(2) noise_sd. */
function apart({ noise_sd: noise }) {
    const far = 1.96 * Math.SQRT2 * real(noise);
    return far > 0 ? "By the fitted noise alone, two measurements of one point would lie less than about "
        + `${number(far, 2)} apart, 19 times out of 20.` : null;
}

/** The models of several outputs, a row for each. */
function byOutput(models, context) {
    const [{ guarantee }] = models;
    const columns = [
        ["Fitted noise", (m) => number(m.noise_sd)], ["Amplitude", (m) => number(m.signal_sd)],
        ["Online coverage", (m) => (m.coverage_online === null ? null : percent(m.coverage_online, 1))],
        ["Guaranteed", (m) => (m.coverage_bound === null ? null : percent(m.coverage_bound, 1))],
        ["Results", (m) => m.results],
    ].filter(([, cell]) => models.some((m) => cell(m) !== null));
    return [
        el("p", { class: "note" }, "Each objective and each constraint has a model of its own. Noise and amplitude are "
            + "standard deviations in the units of the output: of measurements at one point, and of the model before any result."),
        el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Models" }, el("table", { class: "grid" },
            el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Output"),
                columns.map(([title]) => el("th", { scope: "col", class: "number" }, title)))),
            el("tbody", {}, models.map((m) => el("tr", {}, el("th", { scope: "row" },
                el("a", { href: context.link("model", { output: m.output }) }, nameOf(m.output, 22))),
            columns.map(([, cell]) => el("td", { class: "number" }, cell(m) ?? "–"))))))),
        guarantee ? el("p", { class: "note" }, sentence(guarantee)) : null,
    ];
}

export function learnt({ nothing, model, models, why }, context) {
    if (!model) return [el("p", { class: "note" }, sentence(nothing ?? why ?? "there is no model yet"))];
    if (models?.length) return byOutput(models, context);
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
