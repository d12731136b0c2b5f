// history.js - values by trial, with the sets announced for them.
import { drawHistory, historyTable, rowsOf, thinned } from "../chart/history.js";
import { chart } from "../chart/frame.js";
import { el } from "../dom.js";
import { number, plural } from "../format.js";
import { constraintsOf, outputsOf } from "../goals.js";
import { outputChooser } from "./output.js";

const NOTE = "Each bar is the set announced for a trial's first measurement before it was made; a cross is a trial whose "
    + "first measurement lay outside. A trial's value is the mean of its measurements; the best so far is a point's: that of all its trials. "
    + "Means of repetitions, and values of known accuracy, are judged by a set narrowed accordingly.";

const asNumber = (text) => (text !== undefined && Number.isFinite(Number(text)) ? Number(text) : null);

const FEASIBLE = " A square is around results that break a constraint.";

function summary({ answer, rows }) {
    const misses = rows.filter((r) => r.miss === true).length, judged = rows.filter((r) => r.miss !== null).length;
    const best = answer.best.value.at(-1);
    if (answer.output) return `${answer.output} of ${plural(rows.length, "trial")}; ${misses} of ${judged} judged ones `
        + `missed; ${rows.filter((r) => r.feasible === false).length} not feasible.`;
    return `Values of ${plural(rows.length, "trial")}; ${misses} of ${judged} judged ones missed; `
        + `best value ${best === undefined ? "none yet" : number(best, 8)}.`;
}

export default {
    name: "history", title: "History",
    open(context) {
        const field = (name, words) => el("label", {}, words,
            el("input", {
                type: "number", min: 1, step: 1, value: context.params[name] ?? "", dataset: { key: name },
                onchange: (event) => context.go({ [name]: event.target.value }),
            }));
        const from = field("from", "Trials from"), to = field("to", "to");
        const inputs = [from, to].map((label) => label.querySelector("input"));
        const all = el("button", { type: "button", class: "small", onclick: () => choose(null, null) }, "All trials");
        const choose = (a, b) => context.go({ from: a && Math.max(1, Math.round(a)), to: b && Math.round(b) });
        const half = el("select", { "aria-label": "Values", onchange: () => context.go({ values: half.value }) },
            el("option", { value: "" }, "All values"), el("option", { value: "half" }, "The better half"));
        const open = (trial) => { location.hash = context.link("trial", { number: trial }); };

        const { source, definition } = context;
        const output = outputChooser(context, outputsOf(definition), (key) => source.has("history", { output: key }));
        const bounded = constraintsOf(definition).length > 0;
        const picture = chart({
            name: `${context.study}-history`, title: "Values by trial", note: NOTE,
            draw: drawHistory, table: historyTable, label: summary,
            height: (width) => Math.max(300, Math.min(0.5 * width, innerHeight - 260)), controls: [output.element, half],
        });
        const tools = el("div", { class: "card filters" }, from, to, all,
            el("span", { class: "note" }, "Drag over the picture to zoom in; click a trial to open it."));

        function show(answer) {
            const [first, last] = [asNumber(context.params.from), asNumber(context.params.to)];
            const isPart = first !== null || last !== null;
            inputs.forEach((input) => {
                if (input !== document.activeElement) input.value = context.params[input.dataset.key] ?? "";
            });
            half.value = context.params.values === "half" ? "half" : "";
            all.disabled = !isPart;
            const rows = rowsOf(answer, first ?? -Infinity, last ?? Infinity);
            if (rows.length === 0) {
                picture.empty(isPart ? "No trial has a number in this range." : "There is no trial yet.");
                return;
            }
            const end = last ?? Math.max(...answer.columns.trial.slice(-1), 2);
            picture.show({ answer, rows, from: first, to: end, half: half.value === "half" && !half.hidden, open, choose },
                NOTE + (bounded ? FEASIBLE : "") + thinned(answer));
        }

        return {
            element: el("div", { class: "view" }, tools, picture.element),
            follows: true,
            async update() {
                const { study, params } = context, { key, goal } = output.choose();
                half.hidden = goal === "record";
                const part = (text) => (source.live && asNumber(text) >= 1 ? Math.floor(asNumber(text)) : null);
                const answer = await source.get("history",
                    { study, output: key, from: part(params.from), to: part(params.to) });
                if (answer.nothing) picture.empty(answer.nothing);
                else show(answer);
            },
        };
    },
};
