// parameters.js - points and values of the trials: all parameters at once, their importance, pairs of them.
import { ascending } from "d3";
import { barsHeight, barsTable, drawBars } from "../chart/bars.js";
import { chart } from "../chart/frame.js";
import { axesOf, drawParallel, parallelHeight, parallelTable, VALUE, within } from "../chart/parallel.js";
import { drawScatter, scatterHeight, scatterTable } from "../chart/scatter.js";
import { el, replace } from "../dom.js";
import { count } from "../format.js";
import { constraintsOf, directionOf, outputsOf, sideWords } from "../goals.js";
import { latestOnly } from "../latest.js";
import { cached, signature } from "../answers.js";
import { nameOf } from "../names.js";
import { rowsOf, widen } from "../points.js";
import { outputChooser } from "./output.js";
import { rangeForm } from "./ranges.js";

const MOST = 4; // of the parameters in the scatter plots

/** Failed ones first, then from the worst to the best, so that the best are drawn on top; last the trial of the best single
 *  measurement. */
const worstFirst = (rows, direction, best) => {
    const sign = direction === "maximize" ? 1 : -1;
    const rank = (r) => (r.trial === best ? Infinity : Number.isFinite(r.value) ? sign * r.value : -Infinity);
    return [...rows].sort((a, b) => ascending(rank(a), rank(b)) || a.trial - b.trial);
};

const namesOf = (text) => (text ? text.split(",").map(decodeURIComponent) : []);
const textOf = (names) => names.map(encodeURIComponent).join(",");

/** Boxes to tick, up to MOST of them; shown only if there are more parameters. */
function namePicker(parameters, context) {
    const boxes = parameters.map(({ name }) => el("input", { type: "checkbox", value: name, onchange: () =>
        context.go({ show: textOf(boxes.filter((box) => box.checked).map((box) => box.value)) }) }));
    const element = el("fieldset", { class: "picker", hidden: parameters.length <= MOST },
        el("legend", {}, `Parameters shown, up to ${MOST}`), boxes.map((box) => el("label", {}, box, nameOf(box.value))));
    return { element, set(chosen) {
        for (const box of boxes) {
            box.checked = chosen.includes(box.value);
            box.disabled = box.checked ? chosen.length === 1 : chosen.length >= MOST;
        }
    } };
}

class Parameters {
    constructor(context) {
        const { source, definition } = context, parameters = definition.parameters.map((p) => ({ ...p }));
        this.output = outputChooser(context, outputsOf(definition), (key) => source.has("parameters", { output: key }));
        this.shown = this.output.choose();
        this.bounded = constraintsOf(definition).length > 0;
        Object.assign(this, { context, parameters, follows: true, drawn: null, rows: [], direction: "minimize" });
        Object.assign(this, { ranges: new Map(), important: null, released: null, release: null });
        this.byModel = latestOnly((error) => {
            this.drawn = null;
            context.fail(error);
        });
        this.form = rangeForm(parameters, this.ranges, () => this.brushed(true));
        this.count = el("span", { class: "count", role: "status" });
        this.clear = el("button", { type: "button", class: "small", hidden: true, onclick: () => {
            this.ranges.clear();
            this.brushed(true);
        } }, "Clear ranges");
        this.parallel = chart({
            name: "parallel", title: "All parameters at once", height: parallelHeight,
            draw: drawParallel, table: parallelTable, controls: [this.output.element, this.count, this.clear],
            note: "Every line is one trial, from its parameters to its value; the best are drawn on top, those "
                + `without a value are dashed${this.bounded ? ", those that break a constraint dotted" : ""}. `
                + "Drag along an axis to keep the trials of a range; a click on a line opens "
                + "its trial.",
            label: ({ rows }) => `${rows.length} trials, their parameters and values`,
        });
        this.bars = chart({
            name: "importance", title: "Which parameters matter", height: barsHeight, draw: drawBars, table: barsTable,
        });
        this.picker = namePicker(parameters, context);
        this.scatter = chart({
            name: "scatter", title: "Pairs of parameters", height: scatterHeight,
            draw: drawScatter, table: scatterTable,
            note: "The lowest row shows the value against each parameter, the others one parameter against another. Trials "
                + "outside the ranges chosen above are faint; whole numbers and categories are spread a little so that none "
                + "hides another.",
        });
        this.scatter.element.insertBefore(this.picker.element, this.scatter.element.lastElementChild);
        this.parallel.element.append(this.form.element);
        this.theme = matchMedia("(prefers-color-scheme: dark)"); // colours of lines depend on it
        this.repaint = () => [this.parallel, this.scatter].forEach((each) => each.redraw());
        this.theme.addEventListener("change", this.repaint);
        this.element = el("div", { class: "parameters" }, this.parallel.element,
            el("div", { class: "split uneven" }, this.bars.element, this.scatter.element));
    }

    async update() {
        const { source, study, params } = this.context;
        const { events, best } = await source.get("overview", { study });
        const now = signature(events, params), output = this.output.choose();
        if (now === this.drawn) return;
        const ask = cached(source, study, events), answer = await ask("parameters", { output: output.key });
        await this.released;
        if (output.name !== this.shown.name) this.ranges.delete(VALUE); // it was one of another output
        this.shown = output;
        this.best = best?.trial ?? null;
        this.direction = directionOf(output);
        this.rows = worstFirst(rowsOf(answer), this.direction, this.best);
        widen(this.parameters, this.rows);
        this.setAxes();
        if (!this.rows.length) {
            const why = "No trial has ended yet.";
            this.parallel.empty(why);
            this.scatter.empty(why);
        } else this.showTrials(answer);
        this.showScatter();
        this.drawn = now;
        this.byModel(async () => {
            this.showBars(output.goal === "record" ? { nothing: "A recorded output is not modelled." }
                : await ask("importance", { output: output.key }));
            this.showScatter();
        });
    }

    close() { this.theme.removeEventListener("change", this.repaint); }

    /** Updates wait while the user drags a brush. */
    drag(whether) {
        if (whether && !this.release) this.released = new Promise((release) => { this.release = release; });
        if (whether) return;
        this.release?.();
        this.release = null;
    }

    /** The axis of the values may grow; a range on it keeps its values. */
    setAxes() {
        const valueAxis = () => this.axes?.find((axis) => axis.name === VALUE).domain;
        const before = valueAxis(), range = this.ranges.get(VALUE);
        this.axes = axesOf(this.parameters, this.rows, this.shown.name);
        const now = valueAxis();
        if (range && before)
            this.ranges.set(VALUE, range.map((t) => (before[0] + t * (before[1] - before[0]) - now[0]) / (now[1] - now[0])));
    }

    isIn(row) { return within(this.axes, this.ranges)(row); }

    showTrials(answer) {
        this.few = answer.shown < answer.trials ? ` of the ${count(answer.trials)} trials, the best among them` : "";
        this.form.set(this.axes.find((axis) => axis.name === VALUE).domain, this.shown.name);
        this.parallel.show({
            parameters: this.parameters, rows: this.rows, best: this.best, direction: this.direction, ranges: this.ranges,
            changed: () => this.brushed(false), dragging: (whether) => this.drag(whether),
            chosen: () => this.rows.filter((row) => this.isIn(row)),
            output: this.shown.name, bounded: this.bounded, side: sideWords(this.shown, answer.bound ?? null),
            open: (row) => { location.hash = this.context.link("trial", { number: row.trial }); },
        });
        this.say();
    }

    /** Ranges were changed: by dragging, or `otherwise`, and then the brushes are drawn again. */
    brushed(otherwise) {
        if (otherwise) this.parallel.redraw();
        this.form.follow();
        this.say();
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.scatter.redraw());
    }

    say() {
        const inside = this.rows.filter((row) => this.isIn(row)).length, all = count(this.rows.length);
        this.clear.hidden = this.ranges.size === 0;
        replace(this.count, this.ranges.size ? `${count(inside)} of ${all} kept` : `${all} shown${this.few}`);
    }

    showBars(answer) {
        if (answer.nothing) return this.bars.empty(answer.nothing);
        const data = answer.parameters.map((p) => ({ name: p.name, first: p.first ?? 0, share: p.total ?? 0, length: p.length_scale }))
            .sort((a, b) => b.share - a.share);
        this.important = data.map((d) => d.name);
        return this.bars.show(data, answer.caveat);
    }

    /** Those that the address names, otherwise the most important ones. */
    chosen() {
        const known = (name) => this.parameters.some((p) => p.name === name);
        const asked = namesOf(this.context.params.show).filter(known).slice(0, MOST);
        const most = this.element.clientWidth < 500 ? 3 : MOST;
        const names = asked.length ? asked : (this.important ?? this.parameters.map((p) => p.name)).slice(0, most);
        return this.parameters.filter((p) => names.includes(p.name));
    }

    showScatter() {
        const chosen = this.chosen();
        this.picker.set(chosen.map((p) => p.name));
        const { rows, direction } = this, isIn = (row) => this.isIn(row);
        if (rows.length) this.scatter.show({ chosen, rows, direction, isIn, output: this.shown.name, bounded: this.bounded });
    }
}

export default { name: "parameters", title: "Parameters", open: (context) => new Parameters(context) };
