// frame.js - a chart in its frame: title, description, buttons for its numbers and its picture. It is drawn again whenever
// its data or its width change, as plain SVG with the colours of the style sheet.
import { select } from "d3";
import { digitsOf } from "../digits.js";
import { el, replace } from "../dom.js";
import { number, sentence } from "../format.js";
import { nameOf } from "../names.js";
import { hideTip } from "./tip.js";

// The properties of the style sheet that are written into a saved picture.
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linejoin", "stroke-linecap",
    "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline"];

function download(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const cell = (value) => {
    const text = value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
export const csvOf = ({ columns, rows }) => [columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";

/** The picture on its own: styles become attributes, the page's background a rectangle. */
export function pictureOf(picture) {
    const copy = picture.cloneNode(true);
    const from = [picture, ...picture.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((node, i) => {
        const style = getComputedStyle(node);
        for (const name of KEPT) {
            const value = style.getPropertyValue(name);
            if (value) to[i].setAttribute(name, value);
        }
        to[i].removeAttribute("class");
    });
    const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    back.setAttribute("width", "100%");
    back.setAttribute("height", "100%");
    back.setAttribute("fill", getComputedStyle(picture.closest(".chart")).backgroundColor);
    copy.prepend(back);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
}

/** Rounded: the CSV file has all digits. */
const shown = (v, digits) => (typeof v === "number" && Number.isFinite(v) ? number(v, digits)
    : v === null || v === undefined ? "" : String(v));

/** The first rows of the numbers as a table, also for screen readers. */
function tableOf({ columns, rows }) {
    const most = 200, digits = columns.map((_, i) => digitsOf(rows.map((row) => row[i]), 6));
    return el("div", { class: "numbers", tabindex: 0, role: "region", "aria-label": "numbers of the chart" },
        el("table", {},
            el("thead", {}, el("tr", {}, columns.map((c) => el("th", { scope: "col" }, nameOf(c))))),
            el("tbody", {}, rows.slice(0, most).map((row) => el("tr", {},
                row.map((v, i) => el("td", {}, shown(v, digits[i]))))))),
        rows.length > most
            ? el("p", { class: "note" }, `The first ${most} of ${rows.length} rows; the CSV file has all.`) : null);
}

/** chart({name, title, note, height, draw, table, controls}) -> {element, show(data), empty(words)}
 *  name: of the files; draw(svg, {width, height, data}): svg is an empty d3 selection; table(data): {columns, rows};
 *  height: pixels, or a function of width; label(data): what it shows in one sentence, for screen readers; controls:
 *  elements beside the title. */
export function chart({ name, title, note = "", height = 300, draw, table, label = () => title, controls = [] }) {
    let data = null, width = 0, reading = false;
    const noteLine = el("p", { class: "note" }, note);
    const holder = el("div", { class: "picture" });
    const button = (words, hint, onclick) => el("button", { type: "button", class: "small", title: hint, onclick }, words);
    const buttons = el("div", { class: "buttons" },
        button("Table", `${title}: the numbers as a table`, (event) => {
            reading = !reading;
            event.target.setAttribute("aria-pressed", String(reading));
            redraw();
        }),
        button("CSV", `${title}: download the numbers`, () => download(`${name}.csv`, "text/csv", csvOf(table(data)))),
        button("SVG", `${title}: download the picture`, () => {
            if (reading) buttons.firstElementChild.click();
            download(`${name}.svg`, "image/svg+xml", pictureOf(holder.querySelector("svg")));
        }));
    const element = el("section", { class: "chart", "aria-label": title, dataset: { chart: name } },
        el("header", {}, el("h2", {}, title), el("div", { class: "controls" }, controls), buttons), noteLine, holder);

    function redraw() {
        if (data === null || width === 0) return;
        if (holder.matches(":hover")) hideTip(); // its element is removed
        if (reading) {
            const { scrollTop = 0, scrollLeft = 0 } = holder.querySelector(".numbers") ?? {};
            replace(holder, tableOf(table(data)));
            Object.assign(holder.firstElementChild, { scrollTop, scrollLeft });
            return;
        }
        const high = typeof height === "function" ? height(width, data) : height;
        const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        for (const [key, value] of Object.entries({ width, height: high, viewBox: `0 0 ${width} ${high}`, role: "img" }))
            picture.setAttribute(key, value);
        picture.setAttribute("aria-label", label(data));
        replace(holder, picture);
        draw(select(picture), { width, height: high, data });
    }

    new ResizeObserver(([entry]) => {
        const now = Math.floor(entry.contentRect.width);
        if (now === width) return;
        width = now;
        redraw();
    }).observe(holder);

    return {
        element,
        /** Draw this; `words` replaces the note. */
        show(now, words = null) {
            data = now;
            if (words !== null) replace(noteLine, words);
            buttons.hidden = false;
            redraw();
        },
        /** Show why there is nothing to draw. */
        empty(words) {
            data = null;
            buttons.hidden = true;
            replace(holder, el("p", { class: "empty" }, sentence(words)));
        },
        redraw,
    };
}
