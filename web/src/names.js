// names.js - long names and texts cut in the middle, with the whole text as the tooltip.
import { el } from "./dom.js";

/** At most `most` characters: the beginning and the end. */
export function short(text, most) {
    const all = [...String(text)];
    if (all.length <= most) return String(text);
    const kept = Math.max(2, Math.floor(most) - 1), end = Math.floor(kept / 2);
    return `${all.slice(0, kept - end).join("")}…${all.slice(all.length - end).join("")}`;
}

/** A short name with the whole one as its tooltip. */
export function nameOf(text, most = 28) {
    const less = short(text, most);
    return less === text ? text : el("span", { title: text }, less);
}

/** A worker as HOST:PID, of HOST:PID:START:SPACE, with the whole name as its tooltip; any other name as it is. */
export function workerOf(worker, most = 48) {
    const name = worker.match(/^([^:]+:[0-9]+):[0-9]+:/)?.[1] ?? worker;
    return name === worker ? nameOf(worker, most) : el("span", { title: worker }, short(name, most));
}

const SYMBOLS = 0x2400; // pictures of control characters, in their order
const code = (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** Printed text with visible control characters, so that none hides or reverses the rest: a carriage return is a line
 *  break, other control characters and those that change the direction of writing are shown as symbols. */
export const visible = (text) => text.replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => String.fromCharCode(SYMBOLS + c.charCodeAt(0)))
    .replaceAll("\u007f", "␡")
    .replace(/[\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, code);
