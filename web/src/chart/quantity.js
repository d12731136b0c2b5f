// quantity.js - what the model can be asked for at a point: names, words, colours.
import { number, real } from "../format.js";

export const QUANTITIES = {
    mean: {
        label: "mean of f", ramp: "viridis",
        words: "What the model believes the value is on average over the noise.",
    },
    sd_f: {
        label: "standard deviation of f", ramp: "cividis", floor: 0,
        words: "How unsure the model is of that mean: large where little was measured nearby.",
    },
    threshold: {
        label: "threshold λ", ramp: "diverging", least: 0.05,
        words: "Sets hold the central 1 − λ of the model’s own normal: below the line they are wider than the model alone "
            + "would make them, above it narrower.",
    },
    acquisition: {
        label: "acquisition", ramp: "magma", clip: 0.15,
        words: "How promising a measurement there is, as the method counts it; proposals seek its largest value. Far lower "
            + "ones lie below the scale.",
    },
    success: {
        label: "probability of success", ramp: "cividis",
        words: "How probable the model finds it that an evaluation there does not fail.",
    },
};

const ACQUISITIONS = {
    "log-ei": "log expected improvement", ei: "expected improvement", pi: "probability of improvement",
    ucb: "confidence bound", thompson: "Thompson sample",
};

/** Its words, as they are for a study with these options: there is more than one acquisition. */
export function quantityOf(name, { acquisition }) {
    const of = ACQUISITIONS[acquisition] ?? acquisition, known = QUANTITIES[name];
    return { ...known, name, label: name === "acquisition" && of ? `${known.label} (${of})` : known.label };
}

export const better = (direction) => `${direction === "maximize" ? "large" : "small"} is better`;

/** What a scale of colours is labelled with. */
export const labelOf = ({ name, label }, { direction, level }) => label + ({
    mean: `, ${better(direction)}`, acquisition: ", large is better",
    threshold: ` (the model alone: ${number(1 - level, 3)})`,
}[name] ?? "");

/** The numbers of a quantity in an answer, or null if it has none of them. */
export function numbersOf(answer, quantity) {
    const list = (answer[quantity] ?? []).map(real);
    return list.some((v) => !Number.isNaN(v)) ? list : null;
}

/** Why an answer lacks a quantity. */
export const lackOf = (quantity, method) => (quantity === "threshold"
    ? `The method ${method} keeps no threshold that follows its misses from place to place, as locbo does.`
    : quantity === "acquisition" ? "This study’s acquisition is drawn at random for each proposal: there is none to show."
        : "The model says nothing of it.");
