// points.js - trials as points of the unit cube: where a value lies in its parameter's range, and the distance of points.
import { real } from "./format.js";

/** Whether the values of a parameter are words: categories, ordered ones too, true and false. */
export const hasWords = ({ values }) => Array.isArray(values);

/** Whether further trials can have different values of a parameter: a frozen one is no axis of the model. */
export const isFree = ({ frozen }) => frozen === undefined;

/** Whether a value lies in the range of a parameter; results of an altered study may lie outside. */
export const isInside = (parameter, value) => hasWords(parameter) || (value >= parameter.low && value <= parameter.high);

/** Widens the ranges of some parameters, so that they hold the values of the rows. */
export function widen(parameters, rows) {
    for (const parameter of parameters.filter((p) => !hasWords(p)))
        for (const { params } of rows) {
            const value = params[parameter.name];
            if (!isActive(value)) continue;
            parameter.low = Math.min(parameter.low, value);
            parameter.high = Math.max(parameter.high, value);
        }
}

/** Whether a parameter has a value; null is that of one that is not active. */
export const isActive = (value) => value !== null && value !== undefined;

/** The distance of two values that are next to each other; 0: there are values in between. */
export const stepOf = ({ type, step }) => step ?? (type === "float" ? 0 : 1);

/** 0 at the parameter's low end, 1 at its high end, even in its own scale; NaN where it is not active. */
export function unit(parameter, value) {
    if (!isActive(value)) return NaN;
    if (hasWords(parameter)) {
        const last = parameter.values.length - 1, index = parameter.values.indexOf(value);
        return index < 0 ? NaN : last ? index / last : 0.5;
    }
    const { low, high, log } = parameter;
    if (low === high) return 0.5;
    if (log && low <= 0) return Math.log1p(value) / Math.log1p(high);
    return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** Active and not active are as far apart as both ends of a range. */
const gap = (parameter, a, b) => (parameter.type === "categorical" || !isActive(a) || !isActive(b)
    ? Number(a !== b) : Math.abs(unit(parameter, a) - unit(parameter, b)));

/** The distance of two points in all parameters but `except`: root mean square of the differences; 0 without any. */
export function distance(parameters, a, b, except) {
    const others = parameters.filter(({ name }) => !except.includes(name));
    if (!others.length) return 0;
    const sum = others.reduce((total, p) => total + gap(p, a[p.name], b[p.name]) ** 2, 0);
    return Math.sqrt(sum / others.length);
}

/** The opacity of a dot at this distance from the slice or map: 0.44 at a fifth of the range. */
export const fade = (far) => 0.12 + 0.88 * Math.exp(-((far / 0.2) ** 2));

/** The label of the trials without a value. */
export function failedWord(rows) {
    const any = (wanted) => rows.some(({ state }) => state === wanted);
    return any("INFEASIBLE") ? (any("FAILED") ? "failed or infeasible" : "infeasible") : "failed";
}

/** Whether a trial ended without a value. */
export const isFailed = ({ state }) => state === "FAILED" || state === "INFEASIBLE";

/** Whether a parameter's values are few enough to be shown one by one. */
export const discrete = (parameter) => hasWords(parameter)
    || (stepOf(parameter) > 0 && (parameter.high - parameter.low) / stepOf(parameter) < 25);

// Multiples of these two cover a square evenly.
const STEPS = { across: 0.754878, up: 0.569840 };

/** Offset in pixels, within `wide`, that separates dots of equal values; it depends on the trial only. */
export const spread = (parameter, trial, wide, way = "across") => (discrete(parameter)
    ? wide * (((trial * STEPS[way]) % 1) - 0.5) : 0);

/** The columns of /api/parameters as rows {trial, state, value, params, feasible: null where nothing is known}. */
export function rowsOf({ parameters, columns }) {
    return columns.trial.map((trial, i) => ({
        trial, state: columns.state[i], value: real(columns.value[i]), feasible: columns.feasible?.[i] ?? null,
        params: Object.fromEntries(parameters.map(({ name }) => [name, columns.params[name][i]])),
    }));
}
