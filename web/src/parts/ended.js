// ended.js - evaluations that are ended early: the account of it, and the decision about one trial, in words.
import { count, number, percent, plural } from "../format.js";

const RULES = { risk: "the rule of a known risk", median: "the median rule", halving: "successive halving" };

/** Shares have two decimals, unless they are smaller. */
const share = (value) => (value > 0 && value < 0.01 ? number(value, 2) : value.toFixed(2));

/** The estimate rests on the evaluations that were kept: without one it says nothing. */
const mistakes = ({ estimate, kept }) => (estimate === null || kept === 0 ? "share of mistaken ends not known yet: none was kept to its end"
    : `estimated share of mistaken ends ${share(estimate)} (from ${count(kept)} kept to the end)`);

/** "11 of 60 evaluations were ended early, saving 42 % of the steps; estimated share of mistaken ends 0.00 (from 2 kept to
 *  the end), target 0.05.";
 *  null if nothing ends them and nothing has. */
export function endedWords(account) {
    if (!account || (account.rule === "none" && account.ended === 0)) return null;
    const { ended, evaluations, share_saved: saved, target, outstanding } = account;
    const parts = [`${count(ended)} of ${plural(evaluations, "evaluation was", "evaluations were")} ended early`
        + (ended && saved !== null ? `, saving ${percent(saved)} of the steps` : "")];
    if (target !== null) parts.push(`${mistakes(account)}, target ${share(target)}`);
    if (outstanding) parts.push(`${plural(outstanding, "kept one is", "kept ones are")} under way`);
    return `${parts.join("; ")}.`;
}

/** The account as pairs of name and value. */
export const endedFacts = (a) => [
    ["rule", RULES[a.rule] ?? "none: nothing is ended"],
    ["could be ended", a.could_end ? count(a.could_end) : null],
    ["kept by the coin", a.could_end && a.rule === "risk"
        ? `${count(a.kept)}, of which ${count(a.kept_beat)} beat the best value then` : null],
    ["kept and failed", a.kept_failed ? count(a.kept_failed) : null],
    ["steps reported", number(a.steps, 6)],
    ["steps saved", a.ended && a.steps_saved !== null ? `about ${number(Math.round(a.steps_saved))}` : null],
    ["share of mistaken ends", a.target === null ? null
        : a.estimate === null || a.kept === 0 ? `not known yet, target ${share(a.target)}` : `estimated ${share(a.estimate)}, target ${share(a.target)}`],
    ["bound of that share", a.bound === null ? null
        : a.bound >= 1 ? "none yet: too few evaluations are resolved" : `${share(a.bound)}, apart from the coin's chance`],
    ["width of the bounds, τ", a.tau === null ? null : number(a.tau, 3)],
];

/** The decision about one trial: "Ended early at step 12, ..."; null without one. */
export function decisionWords(d) {
    if (!d) return null;
    const at = `step ${count(d.step)}, with the value ${number(d.value, 5)}`;
    const than = d.incumbent === null ? "" : `; the best value then was ${number(d.incumbent, 5)}`;
    const by = RULES[d.rule] ?? d.rule;
    if (!d.ended) return `Kept: ${by} could have ended it at ${at}${than}. A coin keeps one of ten such evaluations, so that `
        + "the share of mistaken ends can be measured.";
    const expected = d.expected === null ? "" : ` By complete curves it would have ended at about ${number(d.expected, 4)}`
        + `${d.expected_sd === null ? "" : ` ± ${number(d.expected_sd, 2)}`}.`;
    return `Ended early by ${by} at ${at}${than}.${expected}`;
}
