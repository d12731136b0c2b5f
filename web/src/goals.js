// goals.js - the outputs of a study that has a table of them: objectives, constraints, recorded ones, and words for them.
import { number } from "./format.js";

/** The outputs of a definition of docs/api.md, in the order of its table; [] without a table. */
export const outputsOf = ({ outputs }) => outputs ?? [];
export const isNamed = ({ outputs }) => Boolean(outputs);

const isObjective = ({ goal }) => goal === "minimize" || goal === "maximize";
const isConstraint = ({ goal }) => goal === "at_most" || goal === "at_least";

export const objectivesOf = (definition) => outputsOf(definition).filter(isObjective);
export const constraintsOf = (definition) => outputsOf(definition).filter(isConstraint);
export const modelledOf = (definition) => outputsOf(definition).filter((o) => isObjective(o) || isConstraint(o));
export const hasSeveral = (definition) => objectivesOf(definition).length > 1;

/** "minimize" or "maximize": which values are better or nearer to keeping the bound; null for a recorded output. */
export const directionOf = ({ goal }) => (
    { minimize: "minimize", at_most: "minimize", maximize: "maximize", at_least: "maximize" }[goal] ?? null);

/** "minimize", "at most 512", "at most 1.1 × trial 3", "recorded". `now`: the bound in force, if it is known. */
export function goalWords({ goal, bound = null, relative_to: trial = null }, now = null) {
    const sense = { at_most: "at most", at_least: "at least", record: "recorded" }[goal];
    if (!sense) return goal;
    if (goal === "record") return sense;
    if (now !== null) return `${sense} ${number(now, 6)}`;
    return `${sense} ${number(bound, 6)}${trial === null ? "" : ` × trial ${trial}`}`;
}

/** Which values are good: "small is better", of a constraint "at most 512"; null for a recorded output. */
export function sideWords(output, now = null) {
    if (output.goal === "record") return null;
    return { minimize: "small is better", maximize: "large is better" }[output.goal] ?? goalWords(output, now);
}

/** The label of an axis: "loss (minimize)", with an arrow to the better side if `arrow`. */
export function axisWords(output, { now = null, arrow = false } = {}) {
    const words = `${output.name} (${goalWords(output, now)})`, way = arrow ? directionOf(output) : null;
    return way === "minimize" ? `← ${words}` : way === "maximize" ? `${words} →` : words;
}

/** "feasible", "not feasible", or null where nothing is known. */
export const feasibleWord = (feasible) => ({ true: "feasible", false: "not feasible" }[feasible] ?? null);
