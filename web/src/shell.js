// shell.js - the page around the views: header, navigation, state of the connection, banners; it opens views and keeps them
// up to date.
import { hideTip } from "./chart/tip.js";
import { el, renew, replace } from "./dom.js";
import { time } from "./format.js";
import { help } from "./help.js";
import { latestOnly } from "./latest.js";
import { short } from "./names.js";
import { Updater } from "./updater.js";
import { address, rewrite } from "./router.js";
import * as source from "./source.js";
import { themeSwitch } from "./theme.js";
import studies from "./views/studies.js";

const plain = (params) => Object.fromEntries(Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false));

export class Shell {
    /** views: those of the navigation, some only for studies that they fit(definition); others: those reached by links. */
    constructor(root, views, others) {
        Object.assign(this, { views, all: [...views, ...others], at: null, opened: null, updater: null, definition: null });
        Object.assign(this, { left: null, rereads: latestOnly(() => {}) });
        Object.assign(this, { endWatch: () => {}, turn: 0, paused: false, troubles: new Map() });
        this.build(root);
    }

    build(root) {
        this.home = el("a", { class: "brand", href: "#/" }, "locbo");
        this.chooser = el("select", {
            "aria-label": "Study", hidden: true, onfocus: () => this.listStudies(),
            onchange: (event) => { location.hash = address(event.target.value, this.at.view ?? "overview"); },
        });
        this.name = el("span", { class: "study-name" });
        this.list = el("a", { class: "all", href: "#/", hidden: true }, "All studies");
        this.state = el("div", { class: "state" });
        this.nav = el("nav", { class: "views", "aria-label": "Views", hidden: true }, el("ul", {}));
        this.banner = el("div", { class: "banner", role: "alert", hidden: true });
        this.main = el("main", { id: "main", tabindex: -1 });
        const skip = el("a", { class: "skip", href: "#main", onclick: (event) => {
            event.preventDefault();
            this.main.focus();
        } }, "Skip to the content");
        const keys = help(() => this.shown(),
            (view) => this.at?.study && (location.hash = address(this.at.study, view.name)));
        replace(root, skip,
            el("header", { class: "top" }, this.home, this.chooser, this.name, this.list, el("span", { class: "gap" }),
                this.state, themeSwitch(), keys),
            this.nav, this.banner, this.main);
        addEventListener("theme", () => this.updater?.request(true));
    }

    // ---- the current view

    /** The views that fit the study. */
    shown() { return this.views.filter((v) => !v.fits || (this.definition && v.fits(this.definition))); }

    /** The view of this name if it fits the study, otherwise the first one. */
    viewOf(name) {
        const found = this.all.find((v) => v.name === name);
        return found && (!this.views.includes(found) || this.shown().includes(found)) ? found : this.views[0];
    }

    async show(to) {
        if (!source.live) to = { ...to, study: (await source.get("definition")).name }; // a report has one study
        const before = this.at;
        const known = this.all.find((v) => v.name === to.view) ?? this.views[0]; // whether it fits, the definition says
        this.at = { ...to, view: to.study === null ? null : known.name };
        if (to.study === null) return this.showStudies();
        if (to.study !== before?.study || this.definition === null) return this.showStudy();
        const view = this.viewOf(known.name);
        this.at.view = view.name;
        const same = before.view === view.name && this.opened;
        if (same && this.opened.follows) return this.follow();
        this.open(view, same);
    }

    /** The list of studies, or the only one there is. */
    showStudies() {
        this.leaveStudy();
        this.mark();
        const context = { source, link: address, only: (name) => location.replace(address(name, "overview")) };
        this.mount(studies.open(context), studies.title);
        const timer = setInterval(() => this.updater.request(), 3000);
        this.endWatch = () => clearInterval(timer);
    }

    leaveStudy() {
        this.endWatch();
        this.endWatch = () => {};
        this.definition = null;
        this.troubles.clear();
        this.showBanner();
    }

    showStudy() {
        this.leaveStudy();
        const study = this.at.study;
        this.mark();
        this.mount({
            element: el("div", {}),
            update: async () => {
                const known = await this.listStudies();
                if (this.at.study !== study) return;
                if (known && !known.includes(study)) return this.gone();
                const definition = await source.get("definition", { study });
                if (this.at.study !== study) return;
                this.definition = definition;
                this.watch(study);
                const view = this.viewOf(this.at.view);
                this.at.view = view.name;
                this.open(view);
            },
        }, study);
    }

    watch(study) {
        this.endWatch = source.watch(study, {
            change: () => {
                this.rereads(() => this.reread(study));
                this.updater?.request();
                this.showState();
            },
            trouble: (words) => this.trouble("watch", words),
            fine: () => this.trouble("watch", null),
            gone: () => this.gone(),
        });
    }

    /** After an alteration the view is opened anew: its controls depend on the definition. */
    async reread(study) {
        if (this.paused) return;
        const aim = ({ plan: _, ...rest }) => JSON.stringify(rest); // the views read the plan themselves
        const definition = await source.get("definition", { study }).catch(() => null);
        if (!definition || this.at.study !== study || this.definition === null || aim(definition) === aim(this.definition)) return;
        this.definition = definition;
        const view = this.viewOf(this.at.view);
        this.at.view = view.name;
        this.open(view, true);
    }

    /** Open a view of the study. */
    open(view, keepScroll = false) {
        const { study } = this.at, left = new AbortController();
        this.context = {
            study, definition: this.definition, params: { ...this.at.params }, source: source.until(left.signal),
            link: (name, params) => address(study, name, params),
            go: (params) => this.go(params),
        };
        const { context } = this;
        // an error of a request beside the update is handled as one of the update
        context.fail = (error) => !left.signal.aborted && this.updater.retry(error);
        this.mark();
        this.mount(view.open(context), view.title, left);
        if (!keepScroll) scrollTo(0, 0);
    }

    /** The view wrote other parameters into the address. */
    go(params) {
        this.at.params = plain({ ...this.context.params, ...params });
        rewrite(this.at.study, this.at.view, this.at.params);
        this.follow();
    }

    follow() {
        for (const key of Object.keys(this.context.params)) delete this.context.params[key];
        Object.assign(this.context.params, this.at.params);
        this.updater.request(true);
    }

    /** Show this in the main part and keep it up to date. What the view before it still waits for is given up (`left`): a
     *  browser opens few connections to one server, and those that wait for a model would keep the others waiting. */
    mount(opened, title, left = null) {
        this.updater?.close();
        this.opened?.close?.();
        this.left?.abort();
        Object.assign(this, { opened, left });
        hideTip();
        this.trouble("update", null);
        document.title = [title, title === this.at.study ? null : this.at.study, "locbo"].filter(Boolean).join(" – ");
        const hint = el("p", { class: "waiting", role: "status", hidden: true }, "Waiting for the first answer …");
        replace(this.main, hint, opened.element);
        opened.element.classList.add("unseen");
        const seen = () => {
            hint.remove();
            opened.element.classList.remove("unseen");
        };
        this.updater = new Updater(() => opened.update(), {
            waiting: () => { hint.hidden = false; },
            done: () => {
                seen();
                this.trouble("update", null);
                this.showState();
            },
            failed: (error) => {
                hint.hidden = true;
                this.failed(error);
            },
        });
        this.updater.pause(this.paused);
        this.updater.request(true);
    }

    // ---- errors

    async failed(error) {
        const study = this.at.study;
        if (error.status === 404 && study !== null) {
            const known = await source.get("studies").then((all) => all.studies.some((s) => s.name === study), () => true);
            if (!known && this.at.study === study) return this.gone();
        }
        if (error.status === undefined) console.error(error); // not a message of the server: an error in this page
        this.trouble("update", error.message);
    }

    trouble(kind, words) {
        if (words === null) this.troubles.delete(kind);
        else this.troubles.set(kind, words);
        this.showBanner();
        this.showState();
    }

    showBanner() {
        const words = [...new Set(this.troubles.values())];
        this.banner.hidden = words.length === 0;
        renew(this.banner, words.map((w) => el("p", {}, w)));
    }

    gone() {
        const { study } = this.at;
        this.leaveStudy();
        this.updater?.close();
        this.opened?.close?.();
        this.opened = null;
        this.listStudies(); // update the chooser
        replace(this.nav.firstElementChild);
        replace(this.state);
        replace(this.main, el("section", { class: "card gone" }, el("h1", {}, "This study does not exist"),
            el("p", {}, `The database holds no study “${short(study, 80)}”: it was deleted or renamed, or the address is wrong.`),
            el("p", {}, el("a", { href: "#/" }, "All studies of this database"))));
    }

    // ---- the header

    /** Fills the chooser with the studies; returns their names, or null if the server does not answer. */
    async listStudies() {
        if (!source.live) return null;
        const answer = await source.get("studies").catch(() => null);
        if (!answer) return null;
        const names = answer.studies.map((s) => s.name);
        const { study } = this.at;
        if (names.join("\n") !== [...this.chooser.options].map((o) => o.value).join("\n"))
            replace(this.chooser, names.map((name) => el("option", { value: name, title: name }, short(name, 60))));
        this.chooser.value = study ?? "";
        this.chooser.hidden = study === null || names.length < 2 || !names.includes(study);
        this.list.hidden = this.chooser.hidden;
        this.name.hidden = !this.chooser.hidden;
        return names;
    }

    /** Shows study and view of the address in the header. */
    mark() {
        const { study, view } = this.at;
        this.name.textContent = short(study ?? "", 60);
        this.name.title = this.chooser.title = study ?? "";
        this.chooser.value = study ?? "";
        this.home.setAttribute("href", source.live ? "#/" : address(study, "overview"));
        if (study === null) this.chooser.hidden = this.list.hidden = true;
        this.nav.hidden = study === null;
        const current = view === "trial" ? "trials" : view;
        const links = this.nav.querySelectorAll("a");
        const shown = this.shown();
        if (links.length !== shown.length || this.nav.dataset.study !== study) {
            this.nav.dataset.study = study;
            const link = (v, i) => el("a", {
                href: address(study, v.name), title: `${v.title} (${i + 1})`, dataset: { view: v.name },
            }, v.title);
            replace(this.nav.firstElementChild, shown.map((v, i) => el("li", {}, link(v, i))));
        }
        for (const link of this.nav.querySelectorAll("a")) {
            if (link.dataset.view !== current) link.removeAttribute("aria-current");
            else {
                link.setAttribute("aria-current", "page");
                this.nav.scrollLeft = link.offsetLeft - 60; // on a phone not all fit
            }
        }
        this.showState();
    }

    /** Live, paused or an error; of a report, when it was created. */
    showState() {
        if (!source.live) {
            replace(this.state, el("span", { class: "made" },
                `Report created ${time(source.about.made)} by locbo ${source.about.version}`));
            return;
        }
        const kind = this.troubles.size ? "trouble" : this.paused ? "paused" : "live";
        const paused = this.updater?.due ? "Paused, changes not shown" : "Paused";
        const words = { trouble: "Problem", paused, live: "Live" }[kind];
        if (this.state.dataset.kind === kind && this.state.textContent === words) return;
        this.state.dataset.kind = kind;
        const turn = () => {
            this.paused = !this.paused;
            this.updater?.pause(this.paused);
            this.rereads(() => this.reread(this.at.study));
            this.showState();
        };
        if (!this.state.firstElementChild)
            replace(this.state, el("button", { type: "button", class: "quiet", onclick: turn }));
        const button = this.state.firstElementChild;
        button.title = this.paused ? "Continue live updates" : "Pause live updates";
        replace(button, el("span", { class: `lamp ${kind}` }), words);
    }
}
