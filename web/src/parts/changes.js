// changes.js - what was changed after the fact: when, by whom, what and why.
import { el } from "../dom.js";
import { count, moment, time } from "../format.js";
import { nameOf, short, visible } from "../names.js";
import { trialLink } from "./words.js";

const KINDS = {
    alter: "altered", retract: "taken back", fail: "marked as failed", pause: "paused", resume: "resumed", stop: "stopped",
    continue: "continues", rename: "renamed", note: "note", copy: "copied",
};
export const kindWord = (kind) => KINDS[kind] ?? kind;

const BEFORE = { rename: "before: ", copy: "" };

/** What an alteration changed, line by line, and why. */
const whatOf = ({ kind, text, changes }) => [
    changes.length ? el("ul", { class: "lines" }, changes.map((line) => el("li", {}, el("code", {}, short(visible(line), 400)))))
        : null,
    text ? el("span", { class: "why" }, `${BEFORE[kind] ?? ""}${short(visible(text), 400)}`) : null,
];

const row = (c, context, withTrial) => el("tr", {},
    el("td", { class: "number" }, c.event),
    el("td", { title: time(c.time) }, moment(c.time)),
    el("td", {}, c.author ? nameOf(c.author, 28) : el("span", { class: "soft" }, "–")),
    el("td", {}, kindWord(c.kind)),
    withTrial ? el("td", {}, trialLink(context, c.trial) ?? el("span", { class: "soft" }, "study")) : null,
    el("td", { class: "wrap" }, whatOf(c)));

const BOX = { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Table of changes" };

/** A table of changes {event, time, author, kind, trial, text, changes}; of one trial without the column of trials. */
export const changesTable = (rows, context, withTrial = true) => el("div", BOX, el("table", { class: "grid changes" },
    el("thead", {}, el("tr", {}, ["Event", "When", "Who", "What", ...(withTrial ? ["Of"] : []), "Why, or what differs"]
        .map((title, i) => el("th", { scope: "col", class: i === 0 ? "number" : null }, title)))),
    el("tbody", {}, rows.map((c) => row(c, context, withTrial)))));

/** The answer of /api/log. */
export const changes = ({ rows, matching, shown }, context) => [
    shown < matching ? el("p", { class: "note" }, `The newest ${count(shown)} of ${count(matching)} changes.`) : null,
    changesTable(rows, context),
];

/** "taken back by ann@lab3, 12:30:01: a typo": the change with this event number. */
export function changeWords(list, event) {
    const found = list.find((c) => c.event === event);
    if (!found) return `taken back at event ${event}`;
    const who = found.author ? ` by ${found.author}` : "", why = found.text ? `: ${visible(found.text)}` : "";
    return `${kindWord(found.kind)}${who}, ${moment(found.time)}${why}`;
}
