// edits.js - the changes that can be made from the page, if the server was started with --allow-edit and the address had its token.
import { el, renew, replace } from "../dom.js";
import { plural } from "../format.js";
import { nameOf } from "../names.js";

/** A form for one change: it shows the outcome, and cannot be sent again while it is sent. */
function form(title, note, fields, action) {
    const outcome = el("p", { class: "outcome", role: "status" });
    const say = (kind, words) => replace(outcome, el("span", { class: kind }, words));
    const element = el("form", { onsubmit: async (event) => {
        event.preventDefault();
        const buttons = element.querySelectorAll("button");
        buttons.forEach((b) => { b.disabled = true; });
        try {
            say("good", `✓ ${await action(event.submitter)}`);
        } catch (error) {
            say("bad", `Not done: ${refused(error)}`);
        }
        buttons.forEach((b) => { b.disabled = false; });
    } }, el("h3", {}, title), el("p", { class: "note" }, note), fields, outcome);
    return element;
}

const refused = (error) => {
    if (error.status === 401) return "the token is not valid for this server: open the address that it printed.";
    return error.status === 0 ? "the server cannot be reached." : error.message;
};

function stopForm(context) {
    const reason = el("input", { maxlength: 200, placeholder: "reason (is stored)", "aria-label": "Reason" });
    const button = el("button", {});
    const element = form("Stop or resume", "Workers finish their current trials first; nothing is lost.",
        el("div", { class: "row" }, reason, button), async () => {
            const stops = button.dataset.action === "stop";
            const body = stops ? { study: context.study, reason: reason.value } : { study: context.study };
            await context.source.post(button.dataset.action, body);
            reason.value = "";
            return stops ? "The study is stopped." : "The study continues.";
        });
    return {
        element,
        show({ stopped }) {
            button.dataset.action = stopped ? "resume" : "stop";
            renew(button, stopped ? "Resume" : "Stop");
            reason.hidden = stopped;
        },
    };
}

function planForm(context) {
    const input = el("input", { type: "number", min: 1, step: 1, required: true, "aria-label": "Completed trials wanted" });
    const note = "With a larger number a finished study continues; workers must be running.";
    const element = form("Completed trials wanted", note,
        el("div", { class: "row" }, input, el("button", {}, "Set")), async () => {
            const trials = input.valueAsNumber;
            await context.source.post("plan", { study: context.study, trials });
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
        p.values.map((v, i) => el("option", { value: i }, String(v))));
    const step = p.step ?? (p.type === "int" ? 1 : "any");
    return el("input", { name: p.name, type: "number", step, min: p.low, max: p.high, placeholder: "(proposed)" });
}

function enqueueForm(context) {
    const { parameters } = context.definition;
    const inputs = parameters.map(field);
    const point = () => Object.fromEntries(parameters.flatMap((p, i) => (inputs[i].value === "" ? []
        : [[p.name, p.values ? p.values[Number(inputs[i].value)] : inputs[i].valueAsNumber]])));
    const note = "Give at least one parameter a value; empty ones are proposed.";
    const element = form("Evaluate a point next", note, [
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

/** {element, show(overview)} */
export function edits(context) {
    const all = [stopForm(context), planForm(context), enqueueForm(context)];
    return {
        element: el("section", { class: "card edits" }, el("header", {}, el("h2", {}, "Change the study")),
            el("div", { class: "deck" }, all.map((part) => part.element))),
        show: (overview) => all.forEach((part) => part.show(overview)),
    };
}
