// dom.js - builds elements. Texts are always text nodes: what an objective printed is never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "dataset") Object.assign(element.dataset, value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
    return element;
}

/** el("p", {class: "note", onclick: f}, "text", child, ...): numbers and texts become text nodes; null is left out. */
export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
/** The same for SVG. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Replace the children of an element. */
export function replace(parent, ...children) {
    parent.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
    return parent;
}

/** The same, but equal children are kept, and so is the focus if possible (on the
 *  element of the same address or data-key). Only for content whose listeners do not depend on the data. */
export function renew(parent, ...children) {
    const now = children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false)
        .map((c) => (c instanceof Node ? c : document.createTextNode(c)));
    const mark = (e) => e?.dataset?.key ?? e?.getAttribute?.("href");
    const held = parent.contains(document.activeElement) ? mark(document.activeElement) : null;
    const old = [...parent.childNodes];
    now.forEach((child, i) => {
        if (!old[i]) parent.append(child);
        else if (!old[i].isEqualNode(child)) old[i].replaceWith(child);
    });
    old.slice(now.length).forEach((child) => child.remove());
    if (held && !parent.contains(document.activeElement))
        [...parent.querySelectorAll("a, button, [data-key]")].find((e) => mark(e) === held)?.focus({ preventScroll: true });
    return parent;
}
