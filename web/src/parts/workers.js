// workers.js - who works on the study, on what, and when they were last heard of.
import { el } from "../dom.js";
import { ago, count, duration, time } from "../format.js";
import { trialLink } from "./words.js";

function lease(running, now) {
    const left = running.lease - now;
    return left >= 0 ? el("span", { title: time(running.lease) }, `in ${duration(Math.round(left))}`)
        : el("span", { class: "bad", title: time(running.lease) }, `over since ${duration(Math.round(-left))}`);
}

function doing(w, overview, context, now) {
    if (!w.running) return w.worker === overview.proposer ? "computes a proposal" : el("span", { class: "soft" }, "nothing");
    return [trialLink(context, w.running.trial), w.running.attempt > 1 ? `, attempt ${w.running.attempt}` : null,
        el("span", { class: "soft" }, ` for ${duration(Math.max(0, Math.round(now - w.running.started)))}`)];
}

const row = (w, overview, context, now) => el("tr", {},
    el("th", { scope: "row" }, w.worker),
    el("td", {}, doing(w, overview, context, now)),
    el("td", {}, w.running ? lease(w.running, now) : "–"),
    el("td", {}, ago(w.last_ended, now)),
    el("td", { class: "number" }, count(w.complete)),
    el("td", { class: "number" }, count(w.failed)));

const COLUMNS = ["Worker", "Doing", "Lease ends", "Last result", "Complete", "Failed"];

const BOX = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of workers" };

export function workers(overview, context, now) {
    if (overview.workers.length === 0) return [el("p", { class: "note" }, "No worker has taken a trial yet. ",
        el("code", {}, "locbo work"), " joins the study from this machine or another.")];
    const when = context.source.live ? "evaluate now" : "were evaluating when this report was made";
    const busy = overview.workers.filter((w) => w.running).length;
    const others = overview.proposer && !overview.workers.some((w) => w.worker === overview.proposer);
    return [
        el("p", { class: "note" }, `${busy} of ${overview.workers.length} ${when}. A worker renews its lease while it `
            + "works; when it is over, the trial is given to another."),
        el("div", BOX, el("table", { class: "grid" },
            el("thead", {}, el("tr", {}, COLUMNS.map((c, i) =>
                el("th", { scope: "col", class: i > 3 ? "number" : null }, c)))),
            el("tbody", {}, overview.workers.map((w) => row(w, overview, context, now))))),
        others ? el("p", { class: "note" }, `${overview.proposer} computes a proposal.`) : null,
    ];
}
