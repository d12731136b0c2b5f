// model.js - what the model believes: along each parameter, and over two of them, the others held at a point.
import { chart } from "../chart/frame.js";
import { drawHeat, heatHeight, heatTable } from "../chart/heat.js";
import { better, labelOf, lackOf, numbersOf, QUANTITIES, quantityOf } from "../chart/quantity.js";
import { drawSlices, hasWiderF, slicesHeight, slicesTable } from "../chart/slice.js";
import { el, replace } from "../dom.js";
import { sentence, value as words } from "../format.js";
import { recall, signature } from "../memory.js";
import { nameOf } from "../names.js";
import { distance, fade, isFailed, rowsOf } from "../place.js";
import { chooser, option } from "./choosers.js";
import { getContour, getSlice, hasSlice } from "./held.js";
import { pairChooser } from "./pair.js";

const MANY = 6; // slices: below more of them nobody would find the map

/** Whether slices through a point can be had. */
const holds = ({ source, definition }, at) => source.live
    || definition.parameters.some(({ name }) => hasSlice(source, name, at));

/** What the address asks for, as far as it can be had. */
function wishOf(context) {
    const { params } = context, named = params.at === "best" || /^[1-9][0-9]*$/.test(params.at ?? "");
    return {
        quantity: params.quantity in QUANTITIES ? params.quantity : "mean",
        at: named && holds(context, params.at) ? params.at : "recommended",
    };
}

// ---- the row of controls

function makeControls(context) {
    const quantity = chooser("Show", (value) => context.go({ quantity: value === "mean" ? null : value }));
    const number = el("input", { type: "number", min: 1, step: 1, required: true, onchange: () => {
        if (number.checkValidity()) context.go({ at: String(number.valueAsNumber) });
        else number.reportValidity();
    } });
    const trial = el("label", { class: "chooser", hidden: true }, el("span", {}, "number"), number);
    const at = chooser("others held at", (value) => {
        trial.hidden = value !== "trial";
        if (value === "trial") number.focus();
        else context.go({ at: value === "recommended" ? null : value });
    });
    at.element.hidden = context.definition.parameters.length < 2;
    const point = el("p", { class: "point" });
    const element = el("section", { class: "card tools" },
        el("div", { class: "row" }, quantity.element, at.element, trial), point);
    return { element, quantity, at, trial, number, point };
}

const mayFail = ({ states }) => (states.FAILED ?? 0) + (states.INFEASIBLE ?? 0) > 0;

function setControls(controls, context, wish, overview) {
    const names = Object.keys(QUANTITIES)
        .filter((name) => name !== "success" || mayFail(overview) || wish.quantity === name);
    controls.quantity.set(names.map((name) => option(name, quantityOf(name, context.definition.options).label)),
        wish.quantity);
    const numbered = !["recommended", "best"].includes(wish.at);
    const typing = !numbered && !controls.trial.hidden && document.activeElement === controls.number;
    controls.at.set([
        option("recommended", "the recommended point", holds(context, "recommended")),
        option("best", "the best measured point", holds(context, "best")),
        option("trial", "a trial …", context.source.live),
    ], numbered || typing ? "trial" : wish.at);
    controls.trial.hidden = !numbered && !typing;
    controls.number.max = overview.trials;
    if (numbered && document.activeElement !== controls.number) controls.number.value = wish.at;
}

const PLACES = { recommended: "The recommended point", best: "The best measured point" };

function pointWords({ what, trial, params }) {
    const name = what in PLACES ? `${PLACES[what]}${trial ? ` (trial ${trial})` : ""}` : `Trial ${trial}`;
    return [`${name}: `, Object.entries(params).map(([key, v], i) => [i ? ", " : "", nameOf(key, 40), " = ",
        el("b", {}, nameOf(words(v), 40))])];
}

// ---- notes

const HELD = "Each plot moves one parameter and holds the others";
const FAINT = ", so measured dots need not lie on the curve: the farther a trial is from the line of the slice in the other "
    + "parameters, the fainter its dot";
const ENDLESS = " Where the light band fills the whole height, the set of a measurement has no end.";
const WIDER = " In places the band of f is the wider one: the calibrated law is flat inside its set, with sharp ends, "
    + "and taking out the noise rounds them off.";
const isEndless = ({ y_low: low, y_high: high }) => [...low, ...high].some((v) => v === "inf" || v === "-inf");

function slicesNote(name, slices, direction) {
    const isMean = name === "mean", held = slices.length > 1 ? ` ${HELD}${isMean ? FAINT : ""}.` : "";
    const more = isMean ? (slices.some(isEndless) ? ENDLESS : "") + (hasWiderF(slices) ? WIDER : "") : "";
    return `${QUANTITIES[name].words}${isMean ? ` ${sentence(better(direction))}` : ""}${held}${more}`;
}

const mapNote = (name, more) => `${QUANTITIES[name].words} Thin lines join places of equal height, at the ticks of the `
    + `colour bar.${more ? " Trials far from this plane in the other parameters are fainter." : ""}`;

// ---- the charts

/** The trials with how opaque they are, the faintest first. */
const faded = (rows, parameters, at, except) => rows.map((row) => ({
    ...row, kind: isFailed(row) ? "failed" : "trial", fade: fade(distance(parameters, row.params, at.params, except)),
})).sort((a, b) => a.fade - b.fade);

/** All slices that can be had; `some(list)` is called whenever one more is there. */
async function askSlices(ask, source, parameters, at, some) {
    const names = parameters.map(({ name }) => name).filter((name) => hasSlice(source, name, at));
    const slices = names.map(() => null);
    await Promise.all(names.map(async (name, i) => {
        slices[i] = await getSlice(ask, name, at, names.length > 1 ? 101 : 301);
        some(slices.filter(Boolean));
    }));
    return slices;
}

class Model {
    constructor(context) {
        Object.assign(this, { context, follows: true, drawn: null, parameters: context.definition.parameters });
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
        this.map.element.hidden = this.parameters.length < 2;
        this.element = el("div", { class: "model" }, this.controls.element,
            el("div", { class: `split${this.parameters.length > MANY ? " map-first" : ""}` },
                this.slices.element, this.map.element));
    }

    async update() {
        const { source, study, params } = this.context;
        const overview = await source.get("overview", { study }), now = signature(overview.events, params);
        const ask = recall(source, study, overview.events), wish = wishOf(this.context);
        setControls(this.controls, this.context, wish, overview);
        if (now === this.drawn) return;
        const [trials, choices] = await Promise.all([ask("parameters"), ask("choices")]);
        const facts = { ...overview, ask, wish, choices, rows: rowsOf(trials) };
        await Promise.all([this.showSlices(facts), this.showMap(facts)]);
        this.drawn = now;
    }

    async showSlices(facts) {
        const { source } = this.context, { ask, wish } = facts;
        const slices = await askSlices(ask, source, this.parameters, wish.at, (some) => {
            if (!this.drawn) this.drawSlices(some, facts);
        });
        if (slices.length) this.drawSlices(slices, facts);
        else this.slices.empty("This report holds no slices of the model; a running locbo serve would show them.");
    }

    drawSlices(slices, { wish, level, method, direction, rows, choices }) {
        const nothing = slices.find((slice) => slice.nothing)?.nothing, own = this.context.params.scale === "own";
        replace(this.controls.point, nothing ? "" : pointWords(slices[0].at));
        this.scale.element.hidden = nothing !== undefined || this.parameters.length < 2;
        this.scale.set([option("same", "one for all"), option("own", "each its own")], own ? "own" : "same");
        if (nothing || !slices.some((slice) => numbersOf(slice, wish.quantity)))
            return this.slices.empty(nothing ?? lackOf(wish.quantity, method));
        const measured = rows.filter((row) => Number.isFinite(row.value));
        const quantity = quantityOf(wish.quantity, this.context.definition.options);
        const points = Object.fromEntries(slices.map(({ parameter: { name }, at }) => [
            name, faded(measured, this.parameters, at, [name])]));
        return this.slices.show({
            slices, points, level, own, quantity, best: choices.best, centre: 1 - level,
            axis: wish.quantity === "mean" ? "value" : QUANTITIES[wish.quantity].label,
        }, slicesNote(wish.quantity, slices, direction));
    }

    async showMap({ ask, wish, level, method, direction, rows, choices }) {
        const { source } = this.context;
        if (this.parameters.length < 2) return;
        const pair = this.pair.choose(wish.at);
        const answer = pair ? await getContour(source, ask, pair, wish.at)
            : { nothing: "This report holds no map of the model at that point; a running locbo serve would show it." };
        const values = answer.nothing ? null : numbersOf(answer, wish.quantity);
        if (!values) {
            this.map.empty(answer.nothing ?? lackOf(wish.quantity, method));
            return;
        }
        const quantity = quantityOf(wish.quantity, this.context.definition.options);
        this.map.show({
            x: answer.x, y: answer.y, values, quantity, centre: 1 - level,
            label: labelOf(quantity, { direction, level }), points: faded(rows, this.parameters, answer.at, pair),
            best: choices.best, recommended: choices.recommended,
        }, mapNote(wish.quantity, this.parameters.length > 2));
    }
}

export default { name: "model", title: "Model", open: (context) => new Model(context) };
