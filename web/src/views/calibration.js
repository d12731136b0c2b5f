// calibration.js - the coverage of the announced sets, and the thresholds of the calibration.
import {
    drawReliability, drawRunning, drawThreshold, reliabilityRows, reliabilityTable, runningRows, runningTable,
} from "../chart/coverage.js";
import { chart } from "../chart/frame.js";
import { drawHeat, heatTable } from "../chart/heat.js";
import { labelOf, lackOf, numbersOf, quantityOf } from "../chart/quantity.js";
import { el, replace } from "../dom.js";
import { count, percent, plural } from "../format.js";
import { modelledOf } from "../goals.js";
import { latestOnly } from "../latest.js";
import { cached, signature } from "../answers.js";
import { aloneWords, halvesWords, lineWords, originWords, sinceWords, verdictOf } from "../parts/verdict.js";
import { distance, fade, isFree, rowsOf } from "../points.js";
import { getContour } from "./available.js";
import { outputChooser } from "./output.js";
import { pairChooser } from "./pair.js";

// ---- in words

function summary(answer, { named, name }) {
    const { judged, inside, target, calibrated: { low, high } } = answer, rows = runningRows(answer);
    const [kind, word, why] = verdictOf(answer, rows);
    const share = inside / judged, close = Math.min(Math.abs(share - low), Math.abs(share - high)) < 0.01;
    const shown = (part) => percent(part, close ? 1 : 0);
    return [
        el("p", { class: "headline" }, el("span", { class: `verdict ${kind}` }, word),
            ` ${count(inside)} of ${plural(judged, "measurement")} ${named ? `of ${name} ` : ""}lay in the set announced for `
            + `them: ${shown(share)}, `
            + `target ${percent(target)}; between ${shown(low)} and ${shown(high)} would be expected.`),
        answer.since ? el("p", {}, sinceWords(answer)) : null,
        el("p", { class: "note" }, [halvesWords(answer), originWords(answer), why, lineWords(rows),
            aloneWords(reliabilityRows(answer))].filter(Boolean).join(" ")),
    ];
}

// ---- in pictures

const runningChart = () => chart({
    name: "coverage", title: "Coverage so far", height: 320, draw: drawRunning, table: runningTable,
    note: "The share of measurements inside the set announced before them, as it grew. Were every set right with the "
        + "target probability, each point of the line would lie in the band with 95 % probability.",
    label: ({ rows }) => `Coverage over ${rows.length} rounds, ${percent(rows[rows.length - 1].share)} at last`,
});
const reliabilityChart = () => chart({
    name: "reliability", title: "Reliability of the model alone", height: 320,
    draw: drawReliability, table: reliabilityTable,
    note: "Of the central intervals of the model’s own normal at each level, the share that held their measurement. "
        + "Below the diagonal the model alone is overconfident, above it underconfident.",
});
const thresholdChart = () => chart({
    name: "threshold", title: "Threshold by round", height: 392, draw: drawThreshold, table: runningTable,
    note: "A set holds the central 1 − λ of the model’s normal. After misses λ falls and sets grow; after "
        + "measurements inside it rises and they shrink.",
});
const mapChart = (controls) => chart({
    name: "threshold-map", title: "Local threshold", height: 400, draw: drawHeat, table: heatTable, controls,
    note: "λ over two parameters, the others at the recommended point. Where λ is below that of the model "
        + "alone, misses nearby have made the sets wider than the model’s own; above, narrower.",
    label: ({ x, y }) => `Threshold over ${x.name} and ${y.name}`,
});

/** The judged trials, with their marks on a map through `at`. */
function judgedRows(trials, running, at, pair) {
    if (!running) return [];
    const miss = new Map(running.trial.map((trial, i) => [trial, running.miss[i]]));
    return rowsOf(trials).filter((row) => miss.has(row.trial)).map((row) => ({
        ...row, feasible: null, kind: miss.get(row.trial) ? "miss" : "trial",
        fade: fade(distance(trials.parameters, row.params, at.params, pair)),
    }));
}

async function showMap(map, { pair, output }, { source, definition }, ask, { target, running }) {
    if (definition.parameters.filter(isFree).length < 2)
        return map.empty("A map takes two parameters; this study has one.");
    if (!pair) return map.empty("This report contains no map of the model; locbo serve shows it.");
    const answer = await getContour(source, ask, pair, "recommended", output);
    if (answer.nothing) return map.empty(answer.nothing);
    const values = numbersOf(answer, "threshold");
    if (!values) return map.empty(lackOf("threshold", definition.options.method));
    const points = judgedRows(await ask("parameters", { output }), running, answer.at, pair);
    const quantity = quantityOf("threshold", definition);
    return map.show({
        x: answer.x, y: answer.y, values, points, quantity, centre: 1 - target, label: labelOf(quantity, { level: target }),
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

function showNothing(charts, head, why) {
    replace(head, el("p", { class: "headline" }, "There is nothing to judge yet."), el("p", { class: "note" }, why));
    for (const each of Object.values(charts)) each.empty(why);
}

function open(context) {
    const { source, study, params, definition } = context, pair = pairChooser(context);
    const output = outputChooser(context, modelledOf(definition), (key) => source.has("calibration", { output: key }));
    const charts = { running: runningChart(), reliability: reliabilityChart(), threshold: thresholdChart() };
    const head = el("section", { class: "card saying" }), map = mapChart(pair.elements);
    const said = modelledOf(definition).length > 1 ? el("div", {}) : head;
    if (said !== head) head.append(output.element, said);
    let drawn = null;
    const byModel = latestOnly((error) => {
        drawn = null;
        context.fail(error);
    });

    async function update() {
        const { events, level } = await source.get("overview", { study }), now = signature(events, params);
        const chosen = output.choose();
        if (now === drawn) return;
        const ask = cached(source, study, events), answer = await ask("calibration", { output: chosen.key });
        if (answer.judged) {
            replace(said, summary(answer, chosen));
            showCharts(charts, answer);
        } else showNothing(charts, said, answer.nothing ?? (answer.since && answer.whole.judged ? sinceWords(answer)
            : "No trial that the model proposed has been measured yet."));
        drawn = now;
        byModel(() => showMap(map, { pair: pair.choose("recommended", chosen.key), output: chosen.key }, context, ask,
            { target: level, ...answer }));
    }

    const element = el("div", { class: "calibration" }, head, el("div", { class: "pair" },
        Object.values(charts).map((each) => each.element), map.element));
    return { element, update, follows: true };
}

export default { name: "calibration", title: "Calibration", open };
