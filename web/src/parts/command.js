// command.js - commands as a shell would take them.
import { el } from "../dom.js";

/** A word as a shell would take it. */
export const quoted = (word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A command of the program, to be copied. */
export const command = (...words) => el("code", {}, ["locbo", ...words].map(quoted).join(" "));
