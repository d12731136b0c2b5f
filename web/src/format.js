// format.js - numbers, times and values as text.
import { digitsFor } from "./digits.js";

/** Infinite numbers come as texts, unknown ones as null. */
export const real = (value) => (value === null || value === undefined ? NaN
    : value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value));
export const reals = (list) => list.map(real);

/** `digits` significant digits: 0.00123, 1.2e-7; whole numbers stay whole. Below `small` with a power. */
export function number(value, digits = 4, small = 1e-4) {
    const x = real(value);
    if (Number.isNaN(x)) return "–";
    if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
    const size = Math.abs(x);
    if (Number.isInteger(x) && size < 1e6) return String(x).replace("-", "−");
    if (size >= 10 ** Math.max(6, digits) || size < small) {
        const [mantissa, power] = x.toExponential(digits - 1).split("e");
        return `${Number(mantissa)}e${Number(power)}`.replace("-", "−").replace("e-", "e−");
    }
    return String(Number(x.toPrecision(digits))).replace("-", "−");
}

export const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
export const percent = (share, digits = 0) => (share === null ? "–" : `${(100 * share).toFixed(digits)}\u00a0%`);
/** "1 miss", "2 misses" */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** Both ends, with as many digits as their distance needs; if that is too small, the middle and half the width. */
export function interval(pair, digits = 4) {
    if (!pair) return "–";
    const [low, high] = reals(pair);
    if (low > high) return "empty";
    const wanted = digitsFor(Math.max(Math.abs(low), Math.abs(high)), (high - low) / 10, digits);
    const [from, to] = [number(low, wanted), number(high, wanted)];
    if (from !== to || low === high) return `${from} … ${to}`;
    return `${from} ± ${number((high - low) / 2, 2)}`;
}

/** A parameter's value: categories as they are, true and false; null where the parameter is not active. */
export const value = (v, digits = 5) => (typeof v === "string" && !["inf", "-inf"].includes(v) ? v
    : typeof v === "boolean" ? String(v) : v === null ? "not active" : number(v, Number.isInteger(v) ? 12 : digits));

/** A value of a parameter of the definition, rounded by less than 1/1000 of its range (of the logarithm of high/low, if it is
 *  logarithmic) and never out of it, as the program prints it; its ends as they are. */
export function valueIn({ type, low, high, log, step: own }, v) {
    if (type !== "float" || own || v === null || [0, low, high].includes(v)) return value(v, 12);
    const power = (x) => Math.floor(Math.log10(Math.abs(x))), before = power(v) + 1;
    const step = (log ? v * Math.log(high / low) : high - low) / 1000;
    let digits = Math.min(17, Math.max(before - power(step), Math.min(before, 6)));
    const rounded = () => (digits > 0 ? Number(v.toPrecision(digits)) : 0);
    while (digits < 17 && (rounded() < low || rounded() > high)) digits += 1;
    return number(rounded(), Math.max(1, digits));
}

/** "3 s", "2 min 5 s", "1 h 12 min", "3 d 4 h" */
export function duration(seconds) {
    if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return "–";
    if (seconds < 1) return seconds < 0.001 ? "0 s" : `${Math.round(1000 * seconds)} ms`;
    if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
    const s = Math.round(seconds);
    const parts = [
        [Math.floor(s / 86400), "d"], [Math.floor(s / 3600) % 24, "h"], [Math.floor(s / 60) % 60, "min"], [s % 60, "s"]];
    const first = parts.findIndex(([n]) => n > 0);
    return parts.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`).join(" ");
}

export const time = (seconds) => (seconds === null ? "–"
    : new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }));

/** The same in short: "06:37:14" of today, otherwise "15 Nov 06:37", with the year if it is not this one. */
export function moment(seconds) {
    if (seconds === null) return "–";
    const then = new Date(1000 * seconds), now = new Date();
    if (then.toDateString() === now.toDateString()) return then.toLocaleTimeString("en-GB");
    const year = then.getFullYear() === now.getFullYear() ? undefined : "numeric";
    const day = then.toLocaleDateString("en-GB", { day: "numeric", month: "short", year });
    return `${day} ${then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
export const ago = (seconds, now) => (seconds === null ? "never" : `${duration(Math.max(0, now - seconds))} ago`);

/** A message of the server as a sentence. */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? "" : ".");
