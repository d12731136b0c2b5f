// notes.js - the note and the tags of a study or of a trial.
import { el } from "../dom.js";
import { short, visible } from "../names.js";

/** Each tag with a link to the trials that have it. */
export const tagLinks = (tags, context) => tags.map((tag) => el("a", {
    class: "tag", href: context.link("trials", { tag }), title: `All trials with the tag ${tag}`,
}, short(tag, 32)));

export const tagWords = (tags) => tags.map((tag) => el("span", { class: "tag", title: tag }, short(tag, 32)));

/** The note as it was written, line by line; nothing without one. */
export const noteText = (note) => (note ? el("p", { class: "note-text" }, visible(note)) : null);

/** Note and tags of a study; its tags are not those of trials. */
export const studyNote = ({ note, tags }) => (note || tags.length ? el("section", { class: "card noted" },
    noteText(note), tags.length ? el("p", { class: "tags" }, tagWords(tags)) : null) : null);
