// help.js - the keys of the page, and the dialog that lists them.
import { el, replace } from "./dom.js";

const isTyping = (target) => target.closest?.("input, select, textarea, [contenteditable]") !== null;

const row = (keys, words) => el("tr", {},
    el("th", { scope: "row" }, keys.map((key, i) => [i ? " " : null, el("kbd", {}, key)])), el("td", {}, words));

/** {dialog, open()}; views() are those of the study that is shown. */
function dialogOf(views) {
    const rows = el("tbody");
    const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title" },
        el("h2", { id: "help-title" }, "Keys"),
        el("table", {}, rows),
        el("p", { class: "note" },
            "Every chart has its numbers as a table and as a CSV file, and its picture as an SVG file. The address "
            + "contains the choices of a view: it can be kept as a bookmark."),
        el("button", { type: "button", onclick: () => dialog.close() }, "Close"));
    return { dialog, open() {
        replace(rows, views().map((view, i) => row([i + 1], view.title)),
            row(["←", "→"], "previous and next trial (on the page of one trial)"),
            row(["?"], "this help"));
        dialog.showModal();
    } };
}

/** The button that opens the help; keys 1, 2, ... call go(view). */
export function help(views, go) {
    const { dialog, open } = dialogOf(views);
    document.body.append(dialog);
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || dialog.open) return;
        if (event.key === "?") open();
        const view = views()[Number(event.key) - 1];
        if (view) go(view);
    });
    return el("button", { type: "button", class: "quiet", title: "Keys (?)", "aria-label": "Keys", onclick: open }, "?");
}
