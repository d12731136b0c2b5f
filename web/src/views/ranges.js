// ranges.js - ranges of parameters as numbers in a form: the same as brushing, for the keyboard.
import { scaleLinear } from "d3";
import { VALUE } from "../chart/parallel.js";
import { digitsOf } from "../digits.js";
import { el, replace } from "../dom.js";
import { nameOf, short } from "../names.js";
import { unit } from "../points.js";

const written = (v, low, high) => String(Number(v.toPrecision(digitsOf([low, high]))));

/** From the unit interval back to the parameter's values. */
function inverse({ low, high, log, type }, t) {
    const v = !log ? low + t * (high - low) : low > 0 ? low * (high / low) ** t : (1 + high) ** t - 1;
    return type === "int" ? String(Math.round(v)) : written(v, low, high);
}

/** Two numbers, each of which may be left out. */
function numberRow(name, label, toUnit, fromUnit, ranges, changed) {
    const field = (words) => el("input", { type: "number", step: "any", "aria-label": `${label} ${words}`, onchange: read });
    const [low, high] = [field("from"), field("to")];
    function read() {
        const a = low.value === "" ? 0 : toUnit(low.valueAsNumber), b = high.value === "" ? 1 : toUnit(high.valueAsNumber);
        if (low.value === "" && high.value === "") ranges.delete(name);
        else if (Number.isFinite(a) && Number.isFinite(b))
            ranges.set(name, [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))]);
        changed();
    }
    const follow = () => {
        const range = ranges.get(name), focus = document.activeElement;
        if (focus !== low) low.value = range && range[0] > 0 ? fromUnit(range[0]) : "";
        if (focus !== high) high.value = range && range[1] < 1 ? fromUnit(range[1]) : "";
    };
    const shown = el("span", { class: "range-name" }, nameOf(label));
    const rename = (now) => {
        replace(shown, nameOf(now));
        low.setAttribute("aria-label", `${now} from`);
        high.setAttribute("aria-label", `${now} to`);
    };
    return { element: el("div", { class: "range" }, shown, low, " to ", high), follow, rename };
}

/** A category lies in the middle of its part of the axis. */
function categoryRow({ name, values }, ranges, changed) {
    const select = el("select", { "aria-label": name, onchange: () => {
        const i = Number(select.value);
        if (select.value === "") ranges.delete(name);
        else ranges.set(name, [i / values.length, (i + 1) / values.length]);
        changed();
    } }, el("option", { value: "" }, "any"), values.map((v, i) => el("option", { value: i, title: String(v) }, short(v, 40))));
    const follow = () => {
        const range = ranges.get(name);
        const inside = values.map((_, i) => i)
            .filter((i) => range && (i + 0.5) / values.length >= range[0] && (i + 0.5) / values.length <= range[1]);
        select.value = inside.length === 1 ? String(inside[0]) : "";
    };
    return { element: el("div", { class: "range" }, el("span", { class: "range-name" }, nameOf(name)), select), follow };
}

/** rangeForm(parameters, ranges, changed) -> {element, set(domain of the value, what it is called), follow(): show the
 *  current `ranges`} */
export function rangeForm(parameters, ranges, changed) {
    let value = scaleLinear();
    const rows = [
        ...parameters.map((p) => (p.values ? categoryRow(p, ranges, changed)
            : numberRow(p.name, p.name, (v) => unit(p, v), (t) => inverse(p, t), ranges, changed))),
        numberRow(VALUE, "value", (v) => value(v), (t) => written(value.invert(t), ...value.domain()), ranges, changed),
    ];
    const element = el("details", { class: "ranges" }, el("summary", {}, "Ranges as numbers"),
        el("div", { class: "range-list" }, rows.map((row) => row.element)));
    return {
        element,
        set(domain, output) {
            value = scaleLinear(domain, [0, 1]);
            rows.at(-1).rename(output);
        },
        follow() { rows.forEach((row) => row.follow()); },
    };
}
