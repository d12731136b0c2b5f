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
