// outputs.js - what the attempts of a trial printed, always as plain text.
import { el } from "../dom.js";
import { count, duration } from "../format.js";
import { visible } from "../names.js";

function printed(name, text, bytes) {
    if (!text && !bytes) return null;
    const sent = new TextEncoder().encode(text).length;
    return [
        el("h3", {}, name, bytes > sent
            ? el("span", { class: "soft" }, ` – the last ${count(sent)} of ${count(bytes)} bytes`) : null),
        el("pre", { tabindex: 0, role: "region", "aria-label": name }, visible(text)),
    ];
}

const ending = (code) => {
    if (code === null || code === undefined) return "no exit code";
    const meaning = { 0: "a result", 65: "infeasible", 75: "to be tried again" }[code];
    return `exit code ${code}${meaning ? `, ${meaning}` : ""}`;
};

export const outputs = (list) => list.map((o) => el("section", { class: "card" },
    el("header", {}, el("h2", {}, `Attempt ${o.attempt}`),
        el("span", { class: o.exit_code === 0 ? "soft" : "bad" }, ending(o.exit_code)),
        el("span", { class: "soft" }, duration(o.seconds))),
    printed("Standard output", o.out, o.out_bytes), printed("Standard error", o.err, o.err_bytes),
    !o.out_bytes && !o.err_bytes && !o.out && !o.err ? el("p", { class: "soft" }, "It printed nothing.") : null));
