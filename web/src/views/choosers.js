// choosers.js - labelled controls whose options can change without losing the focus.
import { el, replace } from "../dom.js";
import { short } from "../names.js";

/** chooser(label, onchange) -> {element, set(options, value)}; options [{value, text, disabled}]. */
export function chooser(label, onchange) {
    const select = el("select", { onchange: () => onchange(select.value) });
    let last = "";
    return {
        element: el("label", { class: "chooser" }, el("span", {}, label), select),
        set(options, value) {
            const now = JSON.stringify(options);
            if (now !== last)
                replace(select, options.map((o) => el("option", { value: o.value, disabled: o.disabled, title: o.text },
                    short(o.text, 40))));
            last = now;
            if (select.value !== value) select.value = value;
            select.title = options.find((o) => o.value === value)?.text ?? "";
        },
    };
}

const missing = (held) => (held ? "" : " (not in this report)");

/** The names of parameters as choices; `held(name)`: whether it can be chosen. */
export const nameOptions = (parameters, held = () => true) => parameters.map(({ name }) => ({
    value: name, text: `${name}${missing(held(name))}`, disabled: !held(name),
}));
export const option = (value, text, held = true) => ({ value, text: `${text}${missing(held)}`, disabled: !held });
