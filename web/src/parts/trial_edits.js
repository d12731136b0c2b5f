// trial_edits.js - the changes of one trial that can be made from the page, as in edits.js.
import { el, replace } from "../dom.js";
import { number } from "../format.js";
import { objectivesOf } from "../goals.js";
import { form, noteForm, whyField } from "./forms.js";

/** A result in words: "0.31 (event 17)". */
function resultWords(m, definition) {
    const objective = objectivesOf(definition)[0]?.name, value = objective ? m.outputs[objective]?.value : m.value;
    return `${objective ? `${objective} ` : ""}${number(value ?? null, 8)} (event ${m.sequence})`;
}

/** Take back one result, or all of the trial. */
function retractForm(context, key, now) {
    const which = el("select", { "aria-label": "Which result" }), why = whyField();
    const element = form(key, "Take back", "The model forgets what is taken back; it stays visible here.",
        el("div", { class: "row" }, which, why, el("button", {}, "Retract")), async () => {
            const sequence = Number(which.value), body = { study: context.study, trial: now().trial };
            await context.source.post("retract", {
                ...body, ...(sequence ? { sequence } : {}), ...(why.value ? { why: why.value } : {}),
            });
            why.value = "";
            return sequence ? "The result is taken back." : "The trial is retracted.";
        });
    let last = null;
    return { element, show({ measurements, state }) {
        const list = measurements ?? [], text = JSON.stringify(list);
        element.hidden = state === "RETRACTED" && list.length === 0;
        if (text === last) return;
        last = text;
        replace(which, el("option", { value: "" }, "the whole trial"),
            list.map((m) => el("option", { value: m.sequence }, resultWords(m, context.definition))));
    } };
}

/** The trial has failed after all. */
function failForm(context, key, now) {
    const as = el("select", { "aria-label": "As" }, el("option", { value: "" }, "failed"),
        el("option", { value: "1" }, "infeasible"));
    const why = whyField();
    const element = form(key, "Mark as failed", "Whatever it was: its results are taken back.",
        el("div", { class: "row" }, as, why, el("button", {}, "Mark")), async () => {
            await context.source.post("fail", {
                study: context.study, trial: now().trial, infeasible: as.value === "1", ...(why.value ? { why: why.value } : {}),
            });
            why.value = "";
            return as.value ? "It is infeasible now." : "It has failed now.";
        });
    return { element, show() {} };
}

/** {element, show(trial)}: the forms are made anew for another trial. */
export function trialEdits(context) {
    const deck = el("div", { class: "deck" });
    let trial = null, all = [];
    const now = () => trial;
    const make = (number) => {
        const key = `${context.study}\n${number}`;
        all = [retractForm(context, key, now), failForm(context, key, now),
            noteForm(key, context, "Note and tags", () => now().trial)];
        replace(deck, all.map((part) => part.element));
    };
    return {
        element: el("section", { class: "card edits" }, el("header", {}, el("h2", {}, "Change this trial")), deck),
        show(t) {
            if (t.trial !== trial?.trial) make(t.trial);
            trial = t;
            all.forEach((part) => part.show(t));
        },
    };
}
