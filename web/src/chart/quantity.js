// quantity.js - the quantities of the model at a point: names, descriptions, colours.
import { number, real } from "../format.js";
import { hasSeveral } from "../goals.js";

export const QUANTITIES = {
    mean: {
        label: "mean of f", ramp: "viridis",
        words: "The model's mean of the objective, without noise.",
        of: (name) => `The model's mean of ${name}, without noise.`,
    },
    sd_f: {
        label: "standard deviation of f", ramp: "cividis", floor: 0,
        words: "The model's uncertainty about that mean: large where there are few measurements nearby.",
    },
    threshold: {
        label: "threshold λ", ramp: "diverging", least: 0.05,
        words: "Sets hold the central 1 − λ of the model’s own normal: below the line they are wider than the model alone "
            + "would make them, above it narrower.",
    },
    acquisition: {
        label: "acquisition", ramp: "magma", clip: 0.15,
        words: "How useful a measurement there would be, by the acquisition function, which proposals maximise. Much lower "
            + "values lie below the scale.",
    },
    success: {
        label: "probability of success", ramp: "cividis",
        words: "The probability that an evaluation there does not fail, by the model.",
    },
    feasible: {
        label: "probability of feasibility", ramp: "cividis",
        words: "The probability that all constraints hold there, by the models of their outputs.",
    },
};

const ACQUISITIONS = {
    "log-ei": "log expected improvement", ei: "expected improvement", pi: "probability of improvement",
    ucb: "confidence bound", thompson: "Thompson sample", mes: "information about the maximum",
};

/** The quantity for a study with this definition: the label names its acquisition function. `output`: of whose model it
 *  is, if the study has a table of outputs. */
export function quantityOf(name, definition, output = null) {
    const { acquisition } = definition.options, known = QUANTITIES[name];
    const of = hasSeveral(definition) ? "expected growth of the hypervolume" : ACQUISITIONS[acquisition] ?? acquisition;
    if (name === "acquisition" && of) return { ...known, name, label: `${known.label} (${of})` };
    if (name === "mean" && output) return { ...known, name, label: `mean of ${output}`, words: known.of(output) };
    return { ...known, name };
}

/** The label of a colour scale; `side`: which values are good, in words. */
export const labelOf = ({ name, label }, { side, level }) => label + ({
    mean: side ? `, ${side}` : "", acquisition: ", large is better",
    threshold: ` (the model alone: ${number(1 - level, 3)})`,
}[name] ?? "");

/** The numbers of a quantity in an answer, or null if it has none of them. */
export function numbersOf(answer, quantity) {
    const list = (answer[quantity] ?? []).map(real);
    return list.some((v) => !Number.isNaN(v)) ? list : null;
}

/** Why an answer lacks a quantity. */
export const lackOf = (quantity, method) => (quantity === "threshold"
    ? `The method ${method} has no threshold that adapts to the misses near each point, as that of locbo does.`
    : quantity === "feasible" ? "This study has no constraints, or there is no model of them yet."
    : quantity === "acquisition" ? "This study’s acquisition is drawn at random for each proposal: there is none to show."
        : "The model does not give this quantity.");
