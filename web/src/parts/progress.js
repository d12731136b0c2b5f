// progress.js - the progress of a study: states of its trials, stop rules, rate.
import { el } from "../dom.js";
import { ago, count, duration, number, plural, time } from "../format.js";
import { directionOf, hasSeveral, objectivesOf, outputsOf } from "../goals.js";
import { endedWords } from "./ended.js";
import { frontWords, sinceWords } from "./volume.js";
import { facts, isRare, STATES, stateWord } from "./words.js";
import { isBusy } from "./workers.js";

/** How many complete trials keep to the constraints; nothing without constraints. */
export function feasibleCounts({ feasible }, context) {
    if (!feasible) return null;
    const part = (n, words, key) => el("li", { class: n ? null : "soft" },
        n && key ? el("a", { href: context.link("trials", { feasible: key }) }, words) : words, " ", el("b", {}, count(n)));
    return el("ul", { class: "legend" }, part(feasible.yes, "feasible", "yes"), part(feasible.no, "not feasible", "no"),
        feasible.unknown ? part(feasible.unknown, "feasibility unknown", null) : null);
}

/** What ending evaluations early saves and risks, in one line; nothing if none can be. */
export function endedLine({ ended }, context) {
    const words = endedWords(ended);
    if (words === null) return null;
    return el("p", { class: "ended-line" }, words, " ", context.definition.curves ? el("a", { href: context.link("curves") }, "Curves") : null);
}

/** The trials by state, as one bar and in numbers. */
export function states(overview, context) {
    const present = STATES.filter((s) => overview.states[s] > 0);
    const words = present.map((s) => `${overview.states[s]} ${stateWord(s)}`).join(", ");
    const bar = el("div", { class: "state-bar", role: "img", "aria-label": words });
    for (const state of present) {
        const piece = el("span", { class: `s-${state}`, title: `${overview.states[state]} ${stateWord(state)}` });
        piece.style.flexGrow = overview.states[state];
        bar.append(piece);
    }
    return [bar, el("ul", { class: "legend" }, STATES.filter((s) => !isRare(s) || overview.states[s] > 0).map((s) => el("li", {
        class: overview.states[s] ? null : "soft",
    },
        el("span", { class: `dot s-${s}`, "aria-hidden": "true" }),
        overview.states[s] ? el("a", { href: context.link("trials", { state: s }) }, stateWord(s)) : stateWord(s), " ",
        el("b", {}, count(overview.states[s])))))];
}

const RULES = {
    trials: "Completed trials wanted", evaluations: "Evaluations wanted, failed ones included",
    budget: "Budget of evaluations", no_improvement: "Completed trials without a better value", target: "Target value", time: "Time limit of the last run",
};

/** The name of a rule; "better" is a larger hypervolume if there are several objectives. */
const ruleName = (r, definition, pruned) => (r.rule === "no_improvement" && hasSeveral(definition)
    ? "Completed trials without a larger hypervolume" : r.rule === "trials" && pruned ? "Trials wanted, complete or ended early" : r.output ? `Target of ${r.output}` : RULES[r.rule] ?? r.rule);

/** "minimize" or "maximize": of the output of a target, or of the study. */
const wayOf = ({ output }, overview, definition) => {
    const found = outputsOf(definition).find(({ name }) => name === output) ?? objectivesOf(definition)[0];
    return found ? directionOf(found) : overview.direction;
};

const known = (value) => value !== null && value !== undefined;

/** Counts are whole, costs need not be. */
const amountOf = (r, n) => (r.rule === "budget" ? number(n, 4) : count(n));

function rule(r, overview, definition) {
    const name = ruleName(r, definition, overview.states.PRUNED > 0);
    if (r.rule === "target") {
        const sense = wayOf(r, overview, definition) === "maximize" ? "at least" : "at most";
        return el("div", { class: "rule" }, el("div", {}, el("span", {}, `${name}: ${sense} ${number(r.target, 8)}`),
            el("span", { class: r.reached ? "good" : null },
                r.reached ? "✓ reached" : `not yet${known(r.value) ? ` (best ${number(r.value, 8)})` : ""}`)));
    }
    if (r.rule === "time") return el("div", { class: "rule" }, el("div", {}, el("span", {}, name),
        el("b", { class: "number" }, duration(r.seconds))));
    return el("div", { class: "rule" },
        el("div", {}, el("span", {}, name),
            el("b", { class: "number" }, r.done >= r.of ? "✓ " : null, `${amountOf(r, r.done)} of ${amountOf(r, r.of)}`)),
        el("progress", { value: Math.min(r.done, r.of), max: r.of, "aria-label": name }));
}

/** The rule by what the model still expects. */
const gain = ({ value, target, reached }) => el("div", { class: "rule" }, el("div", {},
    el("span", {}, `Improvement that the model still expects: less than ${number(target, 6)}`),
    el("span", { class: reached ? "good" : null }, reached ? "✓ reached" : `not yet${known(value) ? ` (${number(value, 4)})` : ""}`)));

export function rules(overview, { definition }) {
    if (overview.rules.length === 0) return [el("p", { class: "note" },
        "No stop rule is set: the study continues until its workers are stopped.")];
    return overview.rules.map((r) => (r.rule === "expected_gain" ? gain(r) : rule(r, overview, definition)));
}

const pace = (perHour) => {
    if (perHour === null) return null;
    return perHour >= 120 ? `${number(perHour / 60, 3)} trials a minute` : `${number(perHour, 3)} trials an hour`;
};

/** What evaluations have cost. */
const spentWords = ({ cost, below }) => number(cost, 4)
    + (known(below) ? `, of it ${number(below, 4)} below full fidelity` : "");

/** Times; `now` is the database's clock. */
export function times(overview, now) {
    const { rate } = overview;
    const over = overview.proposer === null && !overview.workers.some((w) => isBusy(w, now));
    const end = over ? overview.last_event ?? overview.created : now;
    const took = over && overview.last_event === null ? null : duration(end - overview.created);
    return facts([
        ["rate", pace(rate.per_hour)],
        ["one evaluation", rate.evaluation_seconds === null ? null : duration(rate.evaluation_seconds)],
        ["time left", !over && rate.left_seconds > 0 ? `about ${duration(rate.left_seconds)}` : null],
        [over ? "from first to last" : "elapsed", took],
        ["last result", overview.last_event === null ? "none yet" : ago(overview.last_event, now)],
        ["created", time(overview.created)],
        ["since the best", overview.best && !overview.front ? plural(overview.since_best, "completed trial") : null],
        ["front", overview.front ? frontWords(overview.front) : null],
        ["hypervolume", overview.front?.points ? sinceWords(overview.front.since) : null],
        ["spent", overview.spent ? spentWords(overview.spent) : null],
        ["proposals", overview.bounds
            ? `${count(overview.bounds.on_bound)} of ${count(overview.bounds.proposals)} lie on a bound` : null],
        ["failures in a row", overview.failures_in_row > 0 ? count(overview.failures_in_row) : null],
    ]);
}
