// theme.js - light, dark, or as the system has it; remembered where the browser allows that.
import { el } from "./dom.js";

const NAME = "locbo-theme";
const remembered = () => {
    try {
        return localStorage.getItem(NAME);
    } catch { // a report opened from a file, in some browsers
        return null;
    }
};
const remember = (theme) => {
    try {
        localStorage.setItem(NAME, theme);
    } catch { /* then it is kept until the page is closed */ }
};

function apply(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}

/** The control; applies the stored theme. */
export function themeSwitch() {
    const now = ["light", "dark"].includes(remembered()) ? remembered() : "auto";
    apply(now);
    const option = (value, words) => el("option", { value, selected: value === now }, words);
    return el("label", { class: "theme" }, el("span", { class: "soft" }, "Theme"),
        el("select", {
            title: "Colours of the page",
            onchange: (event) => {
                apply(event.target.value);
                remember(event.target.value);
                dispatchEvent(new CustomEvent("theme"));
            },
        }, option("auto", "Auto"), option("light", "Light"), option("dark", "Dark")));
}
