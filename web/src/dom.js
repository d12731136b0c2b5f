// dom.js - elements from words. Texts are always text nodes: nothing that an objective printed is ever parsed as HTML.

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

/** Put these in the place of whatever it holds. */
export function replace(place, ...children) {
    place.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
    return place;
}

/** The same, but children that would not change stay as they are, and the focus stays where it was if it can (on the
 *  element of the same address or data-key). Only for content whose listeners do not depend on the data. */
export function renew(place, ...children) {
    const now = children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false)
        .map((c) => (c instanceof Node ? c : document.createTextNode(c)));
    const mark = (e) => e?.dataset?.key ?? e?.getAttribute?.("href");
    const held = place.contains(document.activeElement) ? mark(document.activeElement) : null;
    const old = [...place.childNodes];
    now.forEach((child, i) => {
        if (!old[i]) place.append(child);
        else if (!old[i].isEqualNode(child)) old[i].replaceWith(child);
    });
    old.slice(now.length).forEach((child) => child.remove());
    if (held && !place.contains(document.activeElement))
        [...place.querySelectorAll("a, button, [data-key]")].find((e) => mark(e) === held)?.focus({ preventScroll: true });
    return place;
}
