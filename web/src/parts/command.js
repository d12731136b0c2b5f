// command.js - command lines, quoted for a shell.
import { el } from "../dom.js";

/** A word, quoted if a shell needs it. */
export const quoted = (word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A command of the program, to be copied. */
export const command = (...words) => el("code", {}, ["locbo", ...words].map(quoted).join(" "));
