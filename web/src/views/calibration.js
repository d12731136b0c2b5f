// calibration.js - whether the sets that were announced hold what was measured, and the thresholds that see to it.
import {
    drawReliability, drawRunning, drawThreshold, reliabilityRows, reliabilityTable, runningRows, runningTable,
} from "../chart/coverage.js";
import { chart } from "../chart/frame.js";
import { drawHeat, heatTable } from "../chart/heat.js";
import { lackOf, numbersOf, QUANTITIES } from "../chart/quantity.js";
import { el, replace } from "../dom.js";
import { count, number, percent } from "../format.js";
import { recall, signature } from "../memory.js";
import { distance, fade, rowsOf } from "../place.js";
import { chooser, nameOptions } from "./choosers.js";
import { getContour, hasContour, pairOf } from "./held.js";

const FEW = 15;

/** Consistent, too sure or too wide: a word, a sentence, and which way it leans. */
function verdictOf({ judged, inside, calibrated: { low, high } }) {
    const share = inside / judged;
    if (share < low) return { kind: "sure", word: "Too sure",
        why: "More measurements fell outside than chance explains: the announced sets were too small." };
    if (share > high) return { kind: "wide", word: "Too wide",
        why: "More measurements fell inside than chance explains: the announced sets were larger than they had to be." };
    return { kind: "fine", word: "Consistent",
        why: judged < FEW ? "But with so few measurements hardly anything would be inconsistent."
            : "Such a count fits sets of the target level." };
}

/** What the model's own intervals would have held at the target level, in a sentence; null if that is not known. */
function aloneWords({ target, inside, judged }, rows) {
    const row = rows.find((r) => Math.abs(r.level - target) < 1e-6);
    if (!row || row.share === inside / judged) return null;
    const lean = row.share < row.low ? "too sure of itself" : row.share > row.high ? "too modest" : "consistent with its level, too";
    return `The model alone, uncalibrated, would have held ${percent(row.share)} at that level: ${lean}.`;
}

function summary(answer) {
    const { judged, inside, target, calibrated: { low, high } } = answer, { kind, word, why } = verdictOf(answer);
    const share = inside / judged, close = Math.min(Math.abs(share - low), Math.abs(share - high)) < 0.01;
    const shown = (part) => percent(part, close ? 1 : 0);
    const alone = aloneWords(answer, reliabilityRows(answer));
    return [
        el("p", { class: "headline" }, el("span", { class: `verdict ${kind}` }, word),
            ` ${count(inside)} of ${count(judged)} measurements lay in the set announced for them: ${shown(share)}, `
            + `target ${percent(target)}; between ${shown(low)} and ${shown(high)} would be expected.`),
        el("p", { class: "note" }, [why, alone].filter(Boolean).join(" ")),
    ];
}

const runningChart = () => chart({
    name: "coverage", title: "Coverage so far", height: 320, draw: drawRunning, table: runningTable,
    note: "The share of measurements inside the set announced before them, as it grew. Were every set right with the target "
        + "probability, each point of the line would lie in the band with 95 % probability.",
    label: ({ rows }) => `Running coverage over ${rows.length} rounds`,
});
const reliabilityChart = () => chart({
    name: "reliability", title: "Reliability of the model alone", height: 320, draw: drawReliability, table: reliabilityTable,
    note: "Of the central intervals of the model’s own normal at each level, the share that held their measurement. Below the "
        + "diagonal the model alone is too sure, above it too modest.",
});
const thresholdChart = () => chart({
    name: "threshold", title: "Threshold by round", height: 392, draw: drawThreshold, table: runningTable,
    note: "A set holds the central 1 − λ of the model’s normal. After misses λ falls and sets grow; while all goes well it rises "
        + "and they shrink.",
});

function mapChart(context) {
    const x = chooser("across", (name) => context.go({ x: name }));
    const y = chooser("up", (name) => context.go({ y: name }));
    const map = chart({
        name: "threshold-map", title: "Local threshold", height: 400, draw: drawHeat, table: heatTable,
        controls: [x.element, y.element],
        note: "λ at every place of two parameters, the others at the recommended point. Where λ is below that of the model alone, "
            + "misses nearby have made the sets wider than the model’s own; above, narrower.",
    });
    return { ...map, x, y };
}

/** The trials that were judged, as they are marked on a map through `at`. */
function judged(trials, running, at, except) {
    if (!running) return [];
    const miss = new Map(running.trial.map((trial, i) => [trial, running.miss[i]]));
    return rowsOf(trials).filter((row) => miss.has(row.trial)).map((row) => ({
        ...row, kind: miss.get(row.trial) ? "miss" : "trial", fade: fade(distance(trials.parameters, row.params, at.params, except)),
    }));
}

async function showMap(map, { source, definition, params }, ask, { target, running }) {
    const { parameters, options } = definition;
    if (parameters.length < 2) return map.empty("A map takes two parameters; this study has one.");
    const pair = pairOf(source, parameters, params, "recommended");
    if (!pair) return map.empty("This report holds no map of the model; a running locbo serve would show it.");
    const [x, y] = pair;
    map.x.set(nameOptions(parameters, (name) => name === x || parameters.some((p) => hasContour(source, name, p.name, "recommended"))), x);
    map.y.set(nameOptions(parameters.filter(({ name }) => name !== x), (name) => hasContour(source, x, name, "recommended")), y);
    const answer = await getContour(source, ask, x, y, "recommended");
    if (answer.nothing) return map.empty(answer.nothing);
    const values = numbersOf(answer, "threshold");
    if (!values) return map.empty(lackOf("threshold", options.method));
    map.show({
        x: answer.x, y: answer.y, values, quantity: QUANTITIES.threshold, centre: 1 - target,
        label: `threshold λ (the model alone: ${number(1 - target, 3)})`, points: judged(await ask("parameters"), running, answer.at, [x, y]),
    });
}

function showCharts(charts, answer) {
    const rows = runningRows(answer), reliability = reliabilityRows(answer), { target, calibrated, method } = answer;
    charts.running.show({ rows, target });
    if (reliability.length) charts.reliability.show({ rows: reliability, calibrated });
    else charts.reliability.empty("The model has not been judged yet.");
    if (rows.some((r) => Number.isFinite(r.threshold))) charts.threshold.show({ rows, target });
    else charts.threshold.empty(lackOf("threshold", method));
}

function open(context) {
    const { source, study } = context;
    const head = el("section", { class: "card saying" });
    const charts = { running: runningChart(), reliability: reliabilityChart(), threshold: thresholdChart() };
    const map = mapChart(context);
    let drawn = null;
    const element = el("div", { class: "calibration" }, head, el("div", { class: "pair" },
        charts.running.element, charts.reliability.element, charts.threshold.element, map.element));
    return {
        element, follows: true,
        async update() {
            const { events, level } = await source.get("overview", { study }), now = signature(events, context.params);
            if (now === drawn) return;
            const ask = recall(source, study, events);
            const answer = await ask("calibration");
            if (answer.nothing || !answer.judged) {
                const why = answer.nothing ?? "No measurement of a trial that the model proposed yet.";
                replace(head, el("p", { class: "headline" }, "There is nothing to judge yet."), el("p", { class: "note" }, why));
                for (const each of Object.values(charts)) each.empty(why);
            } else {
                replace(head, summary(answer));
                showCharts(charts, answer);
            }
            await showMap(map, context, ask, { target: level, ...answer });
            drawn = now;
        },
    };
}

export default { name: "calibration", title: "Calibration", open };
