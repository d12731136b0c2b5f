// place.js - trials as points of the unit cube: where a value lies in its parameter's range, and how far apart points are.
import { real } from "./format.js";

/** 0 at the parameter's low end, 1 at its high end, even in its own scale. */
export function unit(parameter, value) {
    if (parameter.type === "categorical") {
        const last = parameter.values.length - 1, index = parameter.values.indexOf(value);
        return index < 0 ? NaN : last ? index / last : 0.5;
    }
    const { low, high, log } = parameter;
    if (low === high) return 0.5;
    return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

const gap = (parameter, a, b) => (parameter.type === "categorical" ? Number(a !== b)
    : Math.abs(unit(parameter, a) - unit(parameter, b)));

/** How far two points are apart, but for some parameters: the root of the mean square over the others; 0 without others. */
export function distance(parameters, a, b, except) {
    const others = parameters.filter(({ name }) => !except.includes(name));
    if (!others.length) return 0;
    const sum = others.reduce((total, p) => total + gap(p, a[p.name], b[p.name]) ** 2, 0);
    return Math.sqrt(sum / others.length);
}

/** How opaque a dot is that lies this far from what is shown: a fifth of the range away it is well faded. */
export const fade = (far) => 0.12 + 0.88 * Math.exp(-((far / 0.2) ** 2));

/** What became of those trials that brought no value, for a key. */
export function failedWord(rows) {
    const any = (wanted) => rows.some(({ state }) => state === wanted);
    return any("INFEASIBLE") ? (any("FAILED") ? "failed or infeasible" : "infeasible") : "failed";
}

/** Whether a trial brought no value. */
export const isFailed = ({ state }) => state === "FAILED" || state === "INFEASIBLE";

/** Whether a parameter's values are few enough to be shown one by one. */
export const discrete = (parameter) => parameter.type === "categorical"
    || (parameter.type === "int" && parameter.high - parameter.low < 25);

// Multiples of these two cover a square evenly.
const STEPS = { across: 0.754878, up: 0.569840 };

/** Dots of values that coincide are spread over `wide` pixels, by the trial alone. */
export const spread = (parameter, trial, wide, way = "across") => (discrete(parameter)
    ? wide * (((trial * STEPS[way]) % 1) - 0.5) : 0);

/** The columns of /api/parameters as rows {trial, state, value, params}. */
export function rowsOf({ parameters, columns }) {
    return columns.trial.map((trial, i) => ({
        trial, state: columns.state[i], value: real(columns.value[i]),
        params: Object.fromEntries(parameters.map(({ name }) => [name, columns.params[name][i]])),
    }));
}
