// forms.js - a form for one change of the study: it shows the outcome, and cannot be sent again while it is sent.
import { el, replace } from "../dom.js";

const refused = (error) => {
    if (error.status === 401) return "the token is not valid for this server: open the address that it printed.";
    return error.status === 0 ? "the server cannot be reached." : error.message;
};

const FRESH = 60000; // ms for which an outcome is shown again, when the page was drawn anew because of the change itself
const outcomes = new Map();

/** action(button): the words of success, or an error. `key`: of the study or trial, and of the form. */
export function form(key, title, note, fields, action) {
    const outcome = el("p", { class: "outcome", role: "status" });
    const show = ([kind, words]) => replace(outcome, el("span", { class: kind }, words));
    const say = (kind, words) => {
        outcomes.set(`${key}\n${title}`, { said: [kind, words], at: performance.now() });
        show([kind, words]);
    };
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
    const last = outcomes.get(`${key}\n${title}`);
    if (last && performance.now() - last.at < FRESH) show(last.said);
    return element;
}

/** The reason of a change, which is stored with it. */
export const whyField = () => el("input", { maxlength: 200, placeholder: "reason (is stored)", "aria-label": "Reason" });

const wordsOf = (text) => text.split(/[\s,]+/).filter(Boolean);

/** A note and tags. {element, show({note, tags})}: what is being written is left alone. */
export function noteForm(key, { source, study }, title, trialOf = () => null) {
    const note = el("textarea", { rows: 3, maxlength: 4000, "aria-label": "Note" });
    const tags = el("input", { maxlength: 400, placeholder: "tags, separated by spaces", "aria-label": "Tags" });
    let last = null;
    const element = form(key, title, "The note is for people; trials can be filtered by their tags.",
        [note, tags, el("button", {}, "Save")], async () => {
            const trial = trialOf(), body = { study, note: note.value, tags: wordsOf(tags.value) };
            await source.post("note", trial === null ? body : { ...body, trial });
            last = null; // the next answer fills the fields
            return "Saved.";
        });
    return {
        element,
        show(now) {
            const text = JSON.stringify([now.note, now.tags]);
            if (text === last || element.contains(document.activeElement)) return;
            [last, note.value, tags.value] = [text, now.note ?? "", now.tags.join(" ")];
        },
    };
}
