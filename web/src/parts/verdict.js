// verdict.js - what the counts of a calibration say, in words: of all measurements, of the last of them, of the line that
// led there, and of the model alone.
import { count, percent } from "../format.js";

const FEW = 15, EARLY = 5;

/** -1: fewer inside than chance explains, 1: more, 0: as expected. */
const lean = (share, { low, high }) => (share < low ? -1 : share > high ? 1 : 0);

const ALL = {
    "-1": ["sure", "Too sure", "More measurements fell outside than chance explains: the announced sets were too small."],
    1: ["wide", "Too wide",
        "More measurements fell inside than chance explains: the announced sets were larger than they had to be."],
};
const LATELY = {
    "-1": ["sure", "Too sure of late",
        "All counts together fit the target, but of the last ones more fell outside than chance explains."],
    1: ["wide", "Too wide of late",
        "All counts together fit the target, but of the last ones more fell inside than chance explains."],
};

const EARLIER = {
    "-1": ["mixed", "Too sure at first",
        "All counts together and the last ones fit the target; of the first ones more fell outside than chance explains."],
    1: ["mixed", "Too wide at first",
        "All counts together and the last ones fit the target; of the first ones more fell inside than chance explains."],
};

/** How the measurements before the recent ones lean; `rows` of the running line. */
function leanBefore({ judged, recent }, rows) {
    const row = recent && rows.findLast((r) => r.round <= judged - recent.judged);
    return row ? lean(row.share, row) : 0;
}

/** [kind, word, why] of an answer of /api/calibration and its running line. */
export function verdictOf(answer, rows) {
    const { judged, inside, calibrated, recent } = answer;
    const all = lean(inside / judged, calibrated), last = recent ? lean(recent.coverage, recent) : 0;
    if (all !== 0 && recent && last !== all) return [ALL[all][0], `${ALL[all][1]} so far`,
        `${ALL[all][2]} ${last === 0 ? "The last ones fit the target." : "Of the last ones the contrary holds."}`];
    if (all !== 0) return ALL[all];
    if (last !== 0) return LATELY[last];
    const early = leanBefore(answer, rows);
    if (early !== 0) return EARLIER[early];
    return ["fine", "Not contradicted", judged < FEW
        ? "But with so few measurements hardly any count would contradict the target."
        : "Such counts fit sets of the target level."];
}

/** How the misses spread over the time; null while there are too few to part. */
export function halvesWords({ judged, inside, recent }) {
    if (!recent || recent.judged >= judged) return null;
    const first = judged - recent.judged, late = recent.judged - recent.inside, early = judged - inside - late;
    return `${count(early)} of the first ${count(first)} missed, ${count(late)} of the last ${count(recent.judged)}.`;
}

/** Whether the running line left its band, after the first rounds, where every miss throws it out. */
export function lineWords(rows) {
    const out = rows.filter((r) => r.round > EARLY && lean(r.share, r) !== 0);
    if (!out.length) return null;
    const from = out[0].round, to = out[out.length - 1].round, below = out.some((r) => r.share < r.low);
    const side = out.some((r) => r.share > r.high) ? (below ? "at times below, at times above" : "above") : "below";
    const when = from === to ? `in round ${from}` : `between rounds ${from} and ${to}`;
    return `The running line was ${side} its band ${when}; by chance that happens to one point in twenty, to some point of `
        + "a line more often.";
}

/** Levels in runs: "25 % to 60 %, 90 %". */
function levelWords(rows, test) {
    const runs = [];
    rows.forEach((r, i) => {
        if (!test(r)) return;
        if (i > 0 && test(rows[i - 1])) runs[runs.length - 1][1] = r.level;
        else runs.push([r.level, r.level]);
    });
    return runs.map(([from, to]) => (from === to ? percent(from) : `${percent(from)} to ${percent(to)}`)).join(", ");
}

/** What the whole curve of the model's own intervals says. */
export function aloneWords(rows) {
    if (!rows.length) return null;
    const sure = levelWords(rows, (r) => lean(r.share, r) < 0), wide = levelWords(rows, (r) => lean(r.share, r) > 0);
    const found = [sure && `too sure of itself (level ${sure})`, wide && `too modest (level ${wide})`]
        .filter(Boolean);
    return `The model alone, uncalibrated, ${found.length ? `would have been ${found.join(", ")}.` : "lies in its band at "
        + "every level."}`;
}
