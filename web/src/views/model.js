// model.js - predictions of the model along each parameter, and over two of them, the others fixed at a point.
import { chart } from "../chart/frame.js";
import { drawHeat, heatHeight, heatTable } from "../chart/heat.js";
import { labelOf, lackOf, numbersOf, QUANTITIES, quantityOf } from "../chart/quantity.js";
import { drawSlices, hasWiderF, slicesHeight, slicesTable } from "../chart/slice.js";
import { el, replace } from "../dom.js";
import { plural, sentence, value as words } from "../format.js";
import { cached, signature } from "../answers.js";
import { constraintsOf, goalWords, hasSeveral, modelledOf, sideWords } from "../goals.js";
import { nameOf } from "../names.js";
import { distance, fade, isActive, isFailed, isFree, isInside, rowsOf } from "../points.js";
import { chooser, option } from "./choosers.js";
import { getContour, getSlice, hasSlice } from "./available.js";
import { outputChooser } from "./output.js";
import { pairChooser } from "./pair.js";

const MANY = 6; // slices: with more of them the map is shown first

/** Whether slices through a point can be had. */
const holds = ({ source, definition }, at, output = null) => source.live
    || definition.parameters.some(({ name }) => hasSlice(source, name, at, output));

/** Slices have the acquisition of one objective, with the beliefs of that objective. */
const hasAcquisition = ({ key }, definition) => key === null && !hasSeveral(definition);

/** The choices of the address, as far as they are available. */
function choicesOf(context, output) {
    const { params, definition } = context, named = params.at === "best" || /^[1-9][0-9]*$/.test(params.at ?? "");
    return {
        output,
        quantity: params.quantity in QUANTITIES && (params.quantity !== "acquisition" || hasAcquisition(output, definition))
            ? params.quantity : "mean",
        at: named && holds(context, params.at) ? params.at : "recommended",
    };
}

// ---- the row of controls

function makeControls(context) {
    const output = outputChooser(context, modelledOf(context.definition), (key) => holds(context, "recommended", key));
    const quantity = chooser("Show", (value) => context.go({ quantity: value === "mean" ? null : value }));
    const number = el("input", { type: "number", min: 1, step: 1, required: true, onchange: () => {
        if (number.checkValidity()) context.go({ at: String(number.valueAsNumber) });
        else number.reportValidity();
    } });
    const trial = el("label", { class: "chooser", hidden: true }, el("span", {}, "number"), number);
    const at = chooser("others fixed at", (value) => {
        trial.hidden = value !== "trial";
        if (value === "trial") number.focus();
        else context.go({ at: value === "recommended" ? null : value });
    });
    at.element.hidden = context.definition.parameters.length < 2;
    const point = el("p", { class: "point" });
    const element = el("section", { class: "card tools" },
        el("div", { class: "row" }, output.element, quantity.element, at.element, trial), point);
    return { element, output, quantity, at, trial, number, point };
}

/** The name of the output, null in a study without a table of them. */
const outputName = ({ output: { named, name } }) => (named ? name : null);

const mayFail = ({ states }) => (states.FAILED ?? 0) + (states.INFEASIBLE ?? 0) > 0;

function setControls(controls, context, wanted, overview) {
    const offered = {
        success: mayFail(overview), feasible: constraintsOf(context.definition).length > 0,
        acquisition: hasAcquisition(wanted.output, context.definition),
    };
    const quantities = Object.keys(QUANTITIES).filter((name) => (offered[name] ?? true) || wanted.quantity === name);
    const label = (name) => quantityOf(name, context.definition, outputName(wanted)).label;
    controls.quantity.set(quantities.map((name) => option(name, label(name))), wanted.quantity);
    const names = pointNames(context.definition), numbered = !["recommended", "best"].includes(wanted.at);
    const typing = !numbered && !controls.trial.hidden && document.activeElement === controls.number;
    controls.at.set([
        option("recommended", names.recommended, holds(context, "recommended")),
        option("best", names.best, holds(context, "best")),
        option("trial", "a trial …", context.source.live),
    ], numbered || typing ? "trial" : wanted.at);
    controls.trial.hidden = !numbered && !typing;
    controls.number.max = overview.trials;
    if (numbered && document.activeElement !== controls.number) controls.number.value = wanted.at;
}

/** Of several objectives there is no best point: the server takes one from the middle of the front. */
const pointNames = (definition) => (hasSeveral(definition)
    ? { recommended: "middle of the believed front", best: "middle of the measured front" }
    : { recommended: "the recommended point", best: "the best measured point" });

function pointWords({ what, trial, params, moved = false }, names) {
    const title = names[what] && names[what][0].toUpperCase() + names[what].slice(1);
    const name = title ? `${title}${trial ? ` (trial ${trial})` : ""}` : `Trial ${trial}`;
    return [`${name}${moved ? ", moved into the space as it is now" : ""}: `, Object.entries(params).filter(([, v]) => isActive(v)).map(([key, v], i) => [i ? ", " : "", nameOf(key, 40), " = ",
        el("b", {}, nameOf(words(v), 40))])];
}

// ---- notes

const HELD = "Each plot varies one parameter and fixes the others";
const FAINT = ", so measured dots need not lie on the curve: the farther a trial is from the line of the slice in the other "
    + "parameters, the fainter its dot";
const ENDLESS = " Where the light band fills the whole height, the set of a measurement is unbounded.";
const WIDER = " Somewhere the band of f is the wider one: it averages over several fits, the set of a measurement rests "
    + "on the last one.";
const isEndless = ({ y_low: low, y_high: high }) => [...low, ...high].some((v) => v === "inf" || v === "-inf");

/** Which values are good, as a sentence. */
const sideSentence = (side, { goal }) => (side === null ? ""
    : goal.startsWith("at_") ? ` It is to be ${side}.` : ` ${sentence(side)}`);

/** Slices along parameters that are not active at the point go through another one. */
const elsewhere = (slices) => slices.filter(({ at }) => at.instead).map(({ parameter, at }) => ` ${parameter.name} is not `
    + `active there: its plot is through trial ${at.trial}, the best at which it is.`).join("");

/** Parameters without a plot, and categories without a belief: no further trial has them. */
function alteredWords(parameters) {
    const frozen = parameters.filter((p) => !isFree(p)).map((p) => `${p.name} is frozen at ${words(p.frozen)}`);
    const retired = parameters.filter((p) => isFree(p) && p.retired?.length)
        .map((p) => `${p.retired.join(", ")} of ${p.name} ${p.retired.length > 1 ? "are" : "is"} retired`);
    return frozen.length || retired.length ? ` ${[...frozen, ...retired].join("; ")}.` : "";
}

function slicesNote({ name, words: of }, slices, good) {
    const isMean = name === "mean", held = slices.length > 1 ? ` ${HELD}${isMean ? FAINT : ""}.` : "";
    const more = isMean ? (slices.some(isEndless) ? ENDLESS : "") + (hasWiderF(slices) ? WIDER : "") : "";
    return `${of}${isMean ? good : ""}${held}${elsewhere(slices)}${more}`;
}

/** How many of the trials lie outside a map, whose ranges are those of now. */
function outsideWords(rows, { x, y }) {
    const away = rows.filter(({ params }) => [x, y].some((p) => isActive(params[p.name]) && !isInside(p, params[p.name]))).length;
    return away ? ` ${plural(away, "trial")} ${away > 1 ? "lie" : "lies"} outside the ranges as they are now.` : "";
}

const mapNote = ({ words: of }, more) => `${of} Thin lines join points of equal value, at the ticks of the `
    + `colour bar.${more ? " Trials far from this plane in the other parameters are fainter." : ""}`;

// ---- the charts

/** The trials with their opacity, the faintest first. */
const faded = (rows, parameters, at, except) => rows.map((row) => ({
    ...row, kind: isFailed(row) ? "failed" : "trial", fade: fade(distance(parameters, row.params, at.params, except)),
})).sort((a, b) => a.fade - b.fade);

/** The chosen points with the values of an output: choices {best, recommended} of docs/api.md. With several objectives there
 *  is no best one. */
function chosenPoints({ best, recommended }, { output: { key, name } }, rows) {
    if (best?.front || recommended?.front) return { best: null, recommended: null };
    if (key === null) return { best, recommended };
    const row = rows.find(({ trial }) => trial === best?.trial), mean = recommended?.outputs?.[name]?.mean;
    return {
        best: row && Number.isFinite(row.value) ? { ...best, value: row.value } : null,
        recommended: recommended && { ...recommended, mean },
    };
}

/** All available slices; `some(list)` is called whenever one more has arrived. */
async function askSlices(ask, source, parameters, { at, output: { key } }, some) {
    const names = parameters.map(({ name }) => name).filter((name) => hasSlice(source, name, at, key));
    const slices = names.map(() => null);
    await Promise.all(names.map(async (name, i) => {
        slices[i] = await getSlice(ask, name, at, key, names.length > 1 ? 101 : 301);
        some(slices.filter(Boolean));
    }));
    return slices;
}

class Model {
    constructor(context) {
        Object.assign(this, { context, follows: true, drawn: null, parameters: context.definition.parameters });
        this.free = this.parameters.filter(isFree);
        this.controls = makeControls(context);
        this.scale = chooser("scale", (value) => context.go({ scale: value === "own" ? "own" : null }));
        this.pair = pairChooser(context);
        this.slices = chart({
            name: "slices", title: "Along each parameter", height: slicesHeight, draw: drawSlices, table: slicesTable,
            controls: [this.scale.element],
            label: ({ slices, quantity }) => `${quantity.label} along ${slices.map((s) => s.parameter.name).join(", ")}`,
        });
        this.map = chart({
            name: "map", title: "Map", height: heatHeight, draw: drawHeat, table: heatTable, controls: this.pair.elements,
            label: ({ x, y, quantity }) => `${quantity.label} over ${x.name} and ${y.name}`,
        });
        this.map.element.hidden = this.free.length < 2;
        this.element = el("div", { class: "model" }, this.controls.element,
            el("div", { class: `split${this.free.length > MANY ? " map-first" : ""}` },
                this.slices.element, this.map.element));
    }

    async update() {
        const { source, study, params } = this.context;
        const overview = await source.get("overview", { study }), now = signature(overview.events, params);
        const ask = cached(source, study, overview.events);
        const wanted = choicesOf(this.context, this.controls.output.choose());
        setControls(this.controls, this.context, wanted, overview);
        if (now === this.drawn) return;
        const [trials, choices] = await Promise.all([ask("parameters", { output: wanted.output.key }), ask("choices")]);
        const rows = rowsOf(trials), chosen = chosenPoints(choices, wanted, rows);
        const facts = { ...overview, ask, wanted, chosen, rows, side: sideWords(wanted.output, trials.bound ?? null) };
        await Promise.all([this.showSlices(facts), this.showMap(facts)]);
        this.drawn = now;
    }

    async showSlices(facts) {
        const { source } = this.context, { ask, wanted } = facts;
        const slices = await askSlices(ask, source, this.free, wanted, (some) => {
            if (!this.drawn) this.drawSlices(some, facts);
        });
        if (slices.length) this.drawSlices(slices, facts);
        else this.slices.empty("This report contains no slices of the model; locbo serve shows them.");
    }

    /** A parameter that is not active in the trial that fixes the others has no slice. */
    drawSlices(answers, { wanted, level, method, side, rows, chosen }) {
        const slices = answers.filter((slice) => !slice.nothing), own = this.context.params.scale === "own";
        const nothing = slices.length ? undefined : answers[0].nothing;
        const at = nothing ? null : (slices.find((slice) => !slice.at.instead) ?? slices[0]).at;
        replace(this.controls.point, at ? pointWords(at, pointNames(this.context.definition)) : "");
        this.scale.element.hidden = nothing !== undefined || this.free.length < 2;
        this.scale.set([option("same", "one for all"), option("own", "each its own")], own ? "own" : "same");
        if (nothing || !slices.some((slice) => numbersOf(slice, wanted.quantity)))
            return this.slices.empty(nothing ?? lackOf(wanted.quantity, method));
        const measured = rows.filter((row) => Number.isFinite(row.value));
        const quantity = quantityOf(wanted.quantity, this.context.definition, outputName(wanted));
        const points = Object.fromEntries(slices.map(({ parameter: { name }, at }) => [
            name, faded(measured.filter((row) => isActive(row.params[name])), this.parameters, at, [name])]));
        return this.slices.show({
            slices, points, level, own, quantity, best: chosen.best, centre: 1 - level,
            axis: wanted.quantity === "mean" ? outputName(wanted) ?? "value" : QUANTITIES[wanted.quantity].label,
            goal: goalWords(wanted.output, slices[0].bound ?? null), middle: hasSeveral(this.context.definition),
        }, slicesNote(quantity, slices, sideSentence(side, wanted.output)) + alteredWords(this.parameters));
    }

    async showMap({ ask, wanted, level, method, side, rows, chosen }) {
        const { source } = this.context;
        if (this.free.length < 2) return;
        const { key } = wanted.output, pair = this.pair.choose(wanted.at, key);
        const answer = pair ? await getContour(source, ask, pair, wanted.at, key)
            : { nothing: "This report contains no map of the model at that point; locbo serve shows it." };
        const values = answer.nothing ? null : numbersOf(answer, wanted.quantity);
        if (!values) {
            this.map.empty(answer.nothing ?? lackOf(wanted.quantity, method));
            return;
        }
        const quantity = quantityOf(wanted.quantity, this.context.definition, outputName(wanted));
        this.map.show({
            x: answer.x, y: answer.y, values, quantity, centre: 1 - level,
            label: labelOf(quantity, { side, level }), points: faded(rows, this.parameters, answer.at, pair),
            best: chosen.best, recommended: chosen.recommended, output: outputName(wanted) ?? undefined,
        }, mapNote(quantity, this.parameters.length > 2) + outsideWords(rows, answer));
    }
}

export default { name: "model", title: "Model", open: (context) => new Model(context) };
