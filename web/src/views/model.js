// model.js - what the model believes: along each parameter, and over two of them, the others held at a point.
import { chart } from "../chart/frame.js";
import { drawHeat, heatHeight, heatTable } from "../chart/heat.js";
import { lackOf, numbersOf, QUANTITIES } from "../chart/quantity.js";
import { drawSlices, slicesHeight, slicesTable } from "../chart/slice.js";
import { el, replace } from "../dom.js";
import { number, value as words } from "../format.js";
import { recall, signature } from "../memory.js";
import { distance, fade, isFailed, rowsOf } from "../place.js";
import { chooser, nameOptions, option } from "./choosers.js";
import { getContour, getSlice, hasContour, hasSlice, pairOf } from "./held.js";

/** What the address asks for, as far as it can be had. */
function wishOf({ params, definition, source }) {
    const quantity = params.quantity in QUANTITIES ? params.quantity : "mean";
    const at = params.at === "best" || /^[1-9][0-9]*$/.test(params.at ?? "") ? params.at : "recommended";
    const held = source.live || definition.parameters.some(({ name }) => hasSlice(source, name, at));
    return { quantity, at: held ? at : "recommended" };
}

const mayFail = ({ states }) => (states.FAILED ?? 0) + (states.INFEASIBLE ?? 0) > 0;

/** The row of controls: the quantity and the point. */
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

function setControls(controls, { source, definition }, wish, overview) {
    const held = (at) => source.live || definition.parameters.some(({ name }) => hasSlice(source, name, at));
    controls.quantity.set(Object.entries(QUANTITIES).filter(([name]) => name !== "success" || mayFail(overview) || wish.quantity === name)
        .map(([name, { label }]) => option(name, label)), wish.quantity);
    const numbered = !["recommended", "best"].includes(wish.at);
    const waiting = !controls.trial.hidden && !numbered && document.activeElement === controls.number;
    controls.at.set([option("recommended", "the recommended point", held("recommended")), option("best", "the best measured point", held("best")),
        option("trial", "a trial …", source.live)], numbered || waiting ? "trial" : wish.at);
    controls.trial.hidden = !numbered && !waiting;
    controls.number.max = overview.trials;
    if (numbered && document.activeElement !== controls.number) controls.number.value = wish.at;
}

const pointWords = ({ what, trial, params }) => {
    const name = what === "recommended" ? "The recommended point" : what === "best" ? "The best measured point" : `Trial ${trial}`;
    return [`${name}${what !== "trial" && trial ? ` (trial ${trial})` : ""}: `,
        Object.entries(params).map(([key, v], i) => [i ? ", " : "", `${key} = `, el("b", {}, words(v))])];
};

const HELD = "Each plot moves one parameter and holds the others";
const FAINT = ", so measured dots need not lie on the curve: the farther a trial is from the line of the slice in the other "
    + "parameters, the fainter its dot";
const ENDLESS = " Where the light band fills the whole height, the set of a measurement has no end.";
const isEndless = ({ y_low: low, y_high: high }) => [...low, ...high].some((v) => v === "inf" || v === "-inf");
const slicesNote = (name, many) => `${QUANTITIES[name].words}${many ? ` ${HELD}${name === "mean" ? FAINT : ""}.` : ""}`;

const mapNote = (name, many) => `${QUANTITIES[name].words} Thin lines join places of equal height, at the ticks of the colour bar.${many
    ? " Trials far from this plane in the other parameters are fainter." : ""}`;

const better = (direction) => `${direction === "maximize" ? "large" : "small"} is better`;
const labelOf = (name, direction, level) => QUANTITIES[name].label + (name === "mean" ? `, ${better(direction)}`
    : name === "threshold" ? ` (the model alone: ${number(1 - level, 3)})` : name === "acquisition" ? ", large is better" : "");

/** The trials with how opaque they are, the faintest first. */
const faded = (rows, parameters, at, except) => rows
    .map((row) => ({ ...row, kind: isFailed(row) ? "failed" : "trial", fade: fade(distance(parameters, row.params, at.params, except)) }))
    .sort((a, b) => a.fade - b.fade);

/** All slices, one after the other as they come; `some(list)` is called with those there are. */
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
        Object.assign(this, { context, drawn: null });
        this.controls = makeControls(context);
        this.scale = chooser("scale", (value) => context.go({ scale: value === "own" ? "own" : null }));
        this.slices = chart({
            name: "slices", title: "Along each parameter", height: slicesHeight, draw: drawSlices, table: slicesTable,
            controls: [this.scale.element],
            label: ({ slices, quantity }) => `${quantity.label} along ${slices.map((s) => s.parameter.name).join(", ")}`,
        });
        this.x = chooser("across", (name) => context.go({ x: name }));
        this.y = chooser("up", (name) => context.go({ y: name }));
        this.map = chart({
            name: "map", title: "Map", height: heatHeight, draw: drawHeat, table: heatTable,
            controls: [this.x.element, this.y.element],
            label: ({ x, y, quantity }) => `${quantity.label} over ${x.name} and ${y.name}`,
        });
        this.element = el("div", { class: "model" }, this.controls.element,
            el("div", { class: "split" }, this.slices.element, this.map.element));
        this.follows = true;
    }

    async update() {
        const { source, study, definition, params } = this.context;
        const overview = await source.get("overview", { study }), now = signature(overview.events, params);
        const ask = recall(source, study, overview.events), wish = wishOf(this.context);
        setControls(this.controls, this.context, wish, overview);
        if (now === this.drawn) return;
        const [trials, choices] = await Promise.all([ask("parameters"), ask("choices")]);
        const facts = { ask, wish, choices, level: overview.level, method: overview.method, direction: overview.direction,
            rows: rowsOf(trials), parameters: definition.parameters };
        await Promise.all([this.showSlices(facts), this.showMap(facts)]);
        this.drawn = now;
    }

    async showSlices(facts) {
        const { source } = this.context, { ask, wish, parameters } = facts;
        const show = (slices) => this.drawSlices(slices, facts);
        const slices = await askSlices(ask, source, parameters, wish.at, (some) => this.drawn || show(some));
        if (slices.length) show(slices);
        else this.slices.empty("This report holds no slices of the model; a running locbo serve would show them.");
    }

    drawSlices(slices, { wish, level, method, direction, rows, parameters, choices }) {
        const nothing = slices.find((slice) => slice.nothing)?.nothing;
        replace(this.controls.point, nothing ? "" : pointWords(slices[0].at));
        if (nothing) return this.slices.empty(nothing);
        if (!slices.some((slice) => numbersOf(slice, wish.quantity))) return this.slices.empty(lackOf(wish.quantity, method));
        const measured = rows.filter((row) => Number.isFinite(row.value));
        const points = Object.fromEntries(slices.map(({ parameter: { name }, at }) => [name, faded(measured, parameters, at, [name])]));
        const own = this.context.params.scale === "own", endless = wish.quantity === "mean" && slices.some(isEndless);
        this.scale.element.hidden = slices.length < 2;
        this.scale.set([option("same", "one for all"), option("own", "each its own")], own ? "own" : "same");
        return this.slices.show({
            slices, points, level, own, best: choices.best, centre: 1 - level, 
            axis: wish.quantity === "mean" ? `value, ${better(direction)}` : QUANTITIES[wish.quantity].label,
            quantity: { ...QUANTITIES[wish.quantity], name: wish.quantity },
        }, slicesNote(wish.quantity, parameters.length > 1) + (endless ? ENDLESS : ""));
    }

    async showMap({ ask, wish, level, method, direction, rows, parameters, choices }) {
        const { source, params } = this.context;
        this.map.element.hidden = parameters.length < 2;
        if (parameters.length < 2) return;
        const pair = pairOf(source, parameters, params, wish.at);
        if (!pair) {
            this.map.empty("This report holds no map of the model at that point; a running locbo serve would show it.");
            return;
        }
        const [x, y] = pair, any = (name) => parameters.some((p) => hasContour(source, name, p.name, wish.at));
        this.x.set(nameOptions(parameters, any), x);
        this.y.set(nameOptions(parameters.filter(({ name }) => name !== x), (name) => hasContour(source, x, name, wish.at)), y);
        const answer = await getContour(source, ask, x, y, wish.at);
        const values = answer.nothing ? null : numbersOf(answer, wish.quantity);
        if (!values) {
            this.map.empty(answer.nothing ?? lackOf(wish.quantity, method));
            return;
        }
        this.map.show({
            x: answer.x, y: answer.y, values, quantity: QUANTITIES[wish.quantity], label: labelOf(wish.quantity, direction, level), centre: 1 - level,
            points: faded(rows, parameters, answer.at, [x, y]), best: choices.best, recommended: choices.recommended,
        }, mapNote(wish.quantity, parameters.length > 2));
    }
}

export default { name: "model", title: "Model", open: (context) => new Model(context) };
