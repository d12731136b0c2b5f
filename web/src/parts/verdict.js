// verdict.js - the counts of a calibration in words: of all measurements, of the last ones, of the running line, and of the
// model alone.
import { count, percent } from "../format.js";

const FEW = 15, EARLY = 5;

/** -1: fewer inside than chance explains, 1: more, 0: as expected. */
const lean = (share, { low, high }) => (share < low ? -1 : share > high ? 1 : 0);

const ALL = {
    "-1": ["sure", "Overconfident", "More measurements fell outside than chance explains: the announced sets were too small."],
    1: ["wide", "Too wide",
        "More measurements fell inside than chance explains: the announced sets were larger than they had to be."],
};
const LATELY = {
    "-1": ["sure", "Overconfident recently",
        "All counts together fit the target, but of the last ones more fell outside than chance explains."],
    1: ["wide", "Too wide recently",
        "All counts together fit the target, but of the last ones more fell inside than chance explains."],
};

const EARLIER = {
    "-1": ["mixed", "Overconfident at first",
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
        `${ALL[all][2]} ${last === 0 ? "The last ones fit the target." : "The last ones show the opposite."}`];
    if (all !== 0) return ALL[all];
    if (last !== 0) return LATELY[last];
    const early = leanBefore(answer, rows);
    if (early !== 0) return EARLIER[early];
    return ["fine", "Not contradicted", judged < FEW
        ? "But with so few measurements almost no count would contradict the target."
        : "Such counts fit sets of the target level."];
}

/** That only what was told after the last alteration is counted, and what the count of the whole study is. */
export function sinceWords({ judged, since, whole }) {
    const all = whole.judged ? ` Of the whole study it is ${count(whole.inside)} of ${count(whole.judged)} `
        + `(${percent(whole.coverage)}).` : "";
    const what = judged ? "This counts what was told" : "Nothing that was announced has been measured";
    return `${what} since the alteration at event ${since}: the sets before it are of another definition.${all}`;
}

/** The misses of the first and of the last measurements; null while there are too few. */
export function halvesWords({ judged, inside, recent }) {
    if (!recent || recent.judged >= judged) return null;
    const first = judged - recent.judged, late = recent.judged - recent.inside, early = judged - inside - late;
    return `${count(early)} of the first ${count(first)} missed, ${count(late)} of the last ${count(recent.judged)}.`;
}

/** The shares of each origin; null if all measurements are of one. */
export function originWords({ by_origin: list }) {
    if (list.length < 2) return null;
    const each = ({ origin, judged, inside }) => `${origin} ${count(inside)} of ${count(judged)} (${percent(inside / judged)})`;
    return `By origin of the trials: ${list.map(each).join(", ")}.`;
}

/** Whether the running line left its band after the first EARLY rounds, where a single miss moves it out. */
export function lineWords(rows) {
    const out = rows.filter((r) => r.round > EARLY && lean(r.share, r) !== 0);
    if (!out.length) return null;
    const from = out[0].round, to = out[out.length - 1].round, below = out.some((r) => r.share < r.low);
    const side = out.some((r) => r.share > r.high) ? (below ? "at times below, at times above" : "above") : "below";
    const when = from === to ? `in round ${from}` : `between rounds ${from} and ${to}`;
    return `The running line was ${side} its band ${when}; by chance that happens to one point in twenty, to some point of `
        + "a line more often.";
}

/** Levels as ranges: "25 % to 60 %, 90 %". */
function levelWords(rows, test) {
    const runs = [];
    rows.forEach((r, i) => {
        if (!test(r)) return;
        if (i > 0 && test(rows[i - 1])) runs[runs.length - 1][1] = r.level;
        else runs.push([r.level, r.level]);
    });
    return runs.map(([from, to]) => (from === to ? percent(from) : `${percent(from)} to ${percent(to)}`)).join(", ");
}

/** The reliability of the model's own intervals. */
export function aloneWords(rows) {
    if (!rows.length) return null;
    const sure = levelWords(rows, (r) => lean(r.share, r) < 0), wide = levelWords(rows, (r) => lean(r.share, r) > 0);
    const found = [sure && `overconfident (level ${sure})`, wide && `underconfident (level ${wide})`]
        .filter(Boolean);
    return `The model alone, uncalibrated, ${found.length ? `would have been ${found.join(", ")}.` : "lies in its band at "
        + "every level."}`;
}
