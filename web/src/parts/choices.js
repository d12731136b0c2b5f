// choices.js - the best observed and the recommended point, side by side.
import { digitsFor } from "../digits.js";
import { el } from "../dom.js";
import { interval, number, percent, real, reals, sentence } from "../format.js";
import { constraintsOf, goalWords, hasSeveral, objectivesOf } from "../goals.js";
import { nameOf } from "../names.js";
import { frontTable } from "./front.js";
import { paramsTable, trialLink } from "./words.js";

const FEW = 8; // points of a front

/** results: those of the model, undefined without one; the core gives no interval with fewer than 5. */
const range = (choice, results) => (choice.interval ? [el("span", { class: "soft" }, "objective between "), interval(choice.interval),
    el("span", { class: "soft" }, ` (${percent(choice.level)})`)] : el("span", { class: "soft" },
    results < 5 ? "no interval yet: fewer than 5 results" : "no interval"));

/** The probability that the constraints hold there. */
function likely({ feasible = null }, { definition }) {
    if (feasible === null || !constraintsOf(definition).length) return null;
    return el("p", {}, el("span", { class: "soft" }, "feasible with probability "),
        percent(real(feasible), feasible > 0.99 && feasible < 1 ? 1 : 0));
}

/** What the model believes of the other outputs there. */
function others({ outputs }, { definition }) {
    const list = outputs ? constraintsOf(definition).filter(({ name }) => outputs[name]) : [];
    if (list.length === 0) return null;
    return el("table", { class: "params" }, el("tbody", {}, list.map((output) => {
        const { mean, interval: set } = outputs[output.name];
        return el("tr", {}, el("th", { scope: "row", title: goalWords(output) }, nameOf(output.name, 22)),
            el("td", { class: "number" }, number(mean, 5),
                set ? el("span", { class: "soft" }, ` (${interval(set)})`) : null));
    })));
}

function side(kind, title, choice, value, digits, context, results) {
    return el("div", { class: `pick ${kind}` },
        el("h3", {}, title),
        el("p", {}, el("span", { class: "big" }, number(value, digits)), " ",
            choice.results > 1 ? el("span", { class: "soft" }, `mean of ${choice.results} `) : null,
            trialLink(context, choice.trial) ?? el("span", { class: "soft" }, "not evaluated yet")),
        choice.outside ? el("p", { class: "soft" }, "outside the space as it is now") : null,
        el("p", {}, range(choice, results)),
        likely(choice, context), others(choice, context),
        paramsTable(context.definition, choice.params));
}

/** The case that both are the same trial. */
function confirmed({ best, recommended: { mean, interval: set } }, direction) {
    const gain = direction === "maximize" ? real(best.value) - real(mean) : real(mean) - real(best.value);
    const outside = set && (real(best.value) < real(set[0]) || real(best.value) > real(set[1]));
    const size = number(Math.abs(gain), 2), than = `${size} ${gain > 0 ? "better" : "worse"} than`;
    const lies = set ? `, and lies ${outside ? "outside" : "inside"} the interval for the objective` : "";
    return `Both are the same trial: the model confirms this point. The measured value is ${size === "0" ? "equal to" : than} `
        + `the model's mean there${lies}.${outside && gain > 0 ? " Expect the mean when it is measured again." : ""}`;
}

/** How the two differ, in a few words. */
function difference(answer, definition) {
    const { best, recommended } = answer;
    if (!recommended) return null;
    if (recommended.trial !== null && recommended.trial === best.trial)
        return confirmed(answer, objectivesOf(definition)[0]?.goal ?? definition.options.direction);
    if (constraintsOf(definition).length) return "The best observed value is that of the best trial whose measurements keep "
        + "to the constraints, maybe a lucky one (while there is none, that of the trial where they hold most probably); the "
        + "recommended point has the model's best mean where they hold with the probability wanted, or, if there is no such "
        + "point, is where they hold most probably.";
    const what = best.results > 1 ? `the mean of ${best.results} measurements` : "one measurement";
    return `The best observed value is ${what}, maybe a lucky one; the recommended point has the model's best mean. `
        + "Under noise the recommended one is the safer choice.";
}

/** Digits for both values, by the widths of their intervals. */
const digitsBeside = (...all) => Math.max(6, ...all.map((choice) => {
    const [low, high] = reals(choice?.interval ?? [NaN, NaN]);
    return digitsFor(high, (high - low) / 10, 6);
}));

/** Both fronts of a study with several objectives, as tables. */
function fronts({ best, recommended, why, nothing }, context) {
    const part = (kind, title, choice, key, otherwise) => el("div", { class: `pick ${kind}` }, el("h3", {}, title),
        choice?.front?.length ? frontTable(choice.front, key, context, FEW)
            : el("p", { class: "soft" }, sentence(otherwise)));
    return [
        el("p", { class: "note" }, "With several objectives no point is the best: the fronts hold those that no other is at "
            + "least as good as in every objective. ", el("a", { href: context.link("pareto") }, "Pareto")),
        part("best", "Measured front", best, "value", nothing ?? why ?? "no feasible trial has been measured yet"),
        part("recommended", "Believed front, recommended", recommended, "mean", why ?? nothing ?? "there is none yet"),
    ];
}

export function choices(answer, context) {
    if (hasSeveral(context.definition)) return fronts(answer, context);
    const { best, recommended, why, nothing = "there is no result yet" } = answer;
    if (!best) return [el("p", { class: "empty" }, sentence(nothing))];
    const digits = digitsBeside(best, recommended), results = answer.model?.results;
    return [
        el("p", { class: "note" }, difference(answer, context.definition)),
        el("div", { class: "picks" },
            side("best", "Best observed", best, best.value, digits, context, results),
            recommended ? side("recommended", "Recommended", recommended, recommended.mean, digits, context, results)
                : el("div", { class: "pick recommended" }, el("h3", {}, "Recommended"),
                    el("p", { class: "soft" }, sentence(why ?? "nothing yet")))),
    ];
}
