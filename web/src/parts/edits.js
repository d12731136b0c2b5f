// edits.js - the changes that can be made from the page, if the server was started with --allow-edit and the address had its token.
import { el, replace } from "../dom.js";
import { plural } from "../format.js";
import { nameOf } from "../names.js";
import { hasWords, isFree } from "../points.js";
import { address } from "../router.js";
import { form, noteForm, whyField } from "./forms.js";

const ACTIONS = { pause: "Pause", stop: "Stop", resume: "Resume" };
const DONE = {
    pause: "The study is paused.", stop: "The study is stopped.", resume: "The study continues.",
};

function stopForm(context) {
    const reason = whyField(), buttons = el("span", { class: "row" });
    const note = "Paused, the workers wait; stopped, they end. Both finish their current trials first, and nothing is lost.";
    const element = form(context.study, "Pause, stop, resume", note,
        el("div", { class: "row" }, reason, buttons), async ({ dataset: { action } }) => {
            const why = action === "stop" ? { reason: reason.value } : reason.value ? { why: reason.value } : {};
            await context.source.post(action, { study: context.study, ...why });
            reason.value = "";
            return DONE[action];
        });
    let last = "";
    return {
        element,
        show({ stopped, paused }) {
            const actions = [stopped || paused !== null ? "resume" : "pause", stopped ? null : "stop"].filter(Boolean);
            if (actions.join() !== last)
                replace(buttons, actions.map((action) => el("button", { dataset: { action } }, ACTIONS[action])));
            last = actions.join();
        },
    };
}

function planForm(context) {
    const input = el("input", { type: "number", min: 1, step: 1, required: true, "aria-label": "Completed trials wanted" });
    const why = whyField(), note = "With a larger number a finished study continues; workers must be running.";
    const element = form(context.study, "Completed trials wanted", note,
        el("div", { class: "row" }, input, why, el("button", {}, "Set")), async () => {
            const trials = input.valueAsNumber;
            await context.source.post("plan", { study: context.study, trials, ...(why.value ? { why: why.value } : {}) });
            why.value = "";
            input.value = ""; // the next answer fills it
            return `${plural(trials, "completed trial")} wanted now.`;
        });
    return {
        element,
        show({ rules }) {
            if (input === document.activeElement || input.value !== "") return;
            input.value = rules.find((r) => r.rule === "trials")?.of ?? "";
        },
    };
}

/** The field of a parameter; empty: proposed by the program. */
function field(p) {
    if (p.values) return el("select", { name: p.name }, el("option", { value: "" }, "(proposed)"),
        p.values.map((v, i) => el("option", { value: i, disabled: p.retired?.includes(v) }, String(v))));
    const step = p.step ?? (p.type === "int" ? 1 : "any");
    return el("input", { name: p.name, type: "number", step, min: p.low, max: p.high, placeholder: "(proposed)" });
}

function enqueueForm(context) {
    const parameters = context.definition.parameters.filter(isFree);
    const inputs = parameters.map(field);
    const point = () => Object.fromEntries(parameters.flatMap((p, i) => (inputs[i].value === "" ? []
        : [[p.name, p.values ? p.values[Number(inputs[i].value)] : inputs[i].valueAsNumber]])));
    const note = "Give at least one parameter a value; empty ones are proposed.";
    const element = form(context.study, "Evaluate a point next", note, [
        el("div", { class: "fields" },
            parameters.map((p, i) => el("label", {}, el("span", { class: "soft" }, nameOf(p.name, 24)), inputs[i]))),
        el("button", {}, "Enqueue")], async () => {
        const params = point();
        if (Object.keys(params).length === 0) throw new Error("no parameter has a value. Fill in one field at least.");
        const { trial } = await context.source.post("enqueue", { study: context.study, params });
        inputs.forEach((input) => { input.value = ""; });
        return `It is trial ${trial}.`;
    });
    return { element, show() {} };
}

/** What an alteration has done, or would do. */
function effectWords({ outside, aside, withdrawn }, would) {
    const parts = [
        outside ? `${plural(outside, "result")} ${would ? "would lie" : "lie"} outside the new range and stay in the model` : null,
        aside ? `${plural(aside, "result")} ${would ? "would be" : "are"} set aside` : null,
        withdrawn ? `${plural(withdrawn, "waiting trial")} ${would ? "would be" : withdrawn > 1 ? "were" : "was"} withdrawn` : null,
    ].filter(Boolean);
    return parts.length ? `${parts.join("; ")}.` : would ? "No trial would lie outside." : "No trial lies outside.";
}

/** Another range of a number. */
function rangeForm(context) {
    const parameters = context.definition.parameters.filter((p) => !hasWords(p) && isFree(p));
    if (parameters.length === 0) return null;
    const number = (label) => el("input", { type: "number", step: "any", required: true, "aria-label": label });
    const low = number("Lowest value"), high = number("Highest value"), why = whyField();
    const chosen = () => parameters.find(({ name }) => name === select.value);
    const fill = () => {
        [low.value, high.value] = [chosen().low, chosen().high];
    };
    const select = el("select", { "aria-label": "Parameter", onchange: fill },
        parameters.map(({ name }) => el("option", { value: name }, nameOf(name, 40))));
    fill();
    const note = "Results outside the new range stay in the model; the coverage is counted anew. Try says what it would do.";
    const element = form(context.study, "Range of a parameter", note, [
        el("div", { class: "row" }, select, low, "…", high), el("div", { class: "row" }, why,
            el("button", { dataset: { action: "try" } }, "Try"), el("button", { dataset: { action: "alter" } }, "Alter"))],
    async ({ dataset: { action } }) => {
        const { name } = chosen(), ends = [low.valueAsNumber, high.valueAsNumber], would = action === "try";
        if ([chosen().low, chosen().high].join() === ends.join()) throw new Error("this is its range already.");
        const effect = await context.source.post("alter", {
            study: context.study, parameter: name, low: ends[0], high: ends[1], try: would,
            ...(why.value ? { why: why.value } : {}),
        });
        return `${name}: ${ends.join(" … ")}${would ? "" : " now"}. ${effectWords(effect, would)}`;
    });
    return { element, show() {} };
}

function renameForm(context) {
    const input = el("input", { required: true, maxlength: 200, value: context.study, "aria-label": "Name" });
    const element = form(context.study, "Name of the study", "Workers that have it open go on.",
        el("div", { class: "row" }, input, el("button", {}, "Rename")), async () => {
            const name = input.value;
            if (name === context.study) throw new Error("this is its name already.");
            await context.source.post("rename", { study: context.study, name });
            location.hash = address(name, "overview");
            return "Renamed.";
        });
    return { element, show() {} };
}

/** {element, show(overview)} */
export function edits(context) {
    const all = [stopForm(context), planForm(context), rangeForm(context), noteForm(context.study, context, "Note and tags"),
        renameForm(context), enqueueForm(context)].filter(Boolean);
    return {
        element: el("section", { class: "card edits" }, el("header", {}, el("h2", {}, "Change the study")),
            el("div", { class: "deck" }, all.map((part) => part.element))),
        show: (overview) => all.forEach((part) => part.show(overview)),
    };
}
