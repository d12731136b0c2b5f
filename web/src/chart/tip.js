// tip.js - a tooltip of a few lines beside the pointer.
import { el, replace } from "../dom.js";

const box = el("div", { class: "tip", role: "status", hidden: true });
document.body.append(box);

function moveTip(event) {
    const { innerWidth, innerHeight } = window;
    const { width, height } = box.getBoundingClientRect();
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
}

export function showTip(event, lines) {
    replace(box, lines.map((line, i) => el(i ? "div" : "strong", {}, line)));
    box.hidden = false;
    moveTip(event);
}
export const hideTip = () => { box.hidden = true; };

/** Every element of a d3 selection shows `lines(datum)` while the pointer is on it. */
export const tips = (selection, lines) => selection
    .on("pointerenter pointermove", (event, d) => showTip(event, lines(d)))
    .on("pointerleave", hideTip);
