// digits.js - how many significant digits are needed to distinguish numbers shown side by side.

const MOST = 12;
const power = (size) => Math.floor(Math.log10(size));

/** Digits with which numbers of this size that differ by `step` look different: `least` at least, 12 at most. */
export function digitsFor(size, step, least = 4) {
    const wanted = power(Math.abs(size)) - power(Math.abs(step)) + 1;
    return Number.isFinite(wanted) ? Math.min(MOST, Math.max(least, wanted)) : least;
}

/** Digits that tell 1/`parts` of the range of these numbers apart. */
export function digitsOf(numbers, least = 4, parts = 1000) {
    let low = Infinity, high = -Infinity;
    for (const x of numbers) {
        if (!Number.isFinite(x)) continue;
        low = Math.min(low, x);
        high = Math.max(high, x);
    }
    return high > low ? digitsFor(Math.max(Math.abs(low), Math.abs(high)), high / parts - low / parts, least) : least;
}

/** If numbers from low to high differ only after many digits, they are shown as differences from a round number: that
 *  number, or 0 if it is not needed. */
export function offsetOf(low, high, step) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (low * high <= 0 || digitsFor(size, step, 1) <= 7) return 0;
    const round = 10 ** (power(high - low) + 1), base = Math.trunc((low > 0 ? low : high) / round) * round;
    return Number.isFinite(base) ? Number(base.toPrecision(MOST)) : 0;
}
