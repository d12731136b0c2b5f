// workers.js - the workers of the study, their trials and their last results.
import { el } from "../dom.js";
import { ago, count, duration, time } from "../format.js";
import { isNamed, outputsOf } from "../goals.js";
import { workerOf } from "../names.js";
import { command } from "./command.js";
import { trialLink } from "./words.js";

/** Whether a worker has a trial and its lease has not ended; a lease of null never ends. */
export const isBusy = ({ running }, now) => running !== null && (running.lease === null || running.lease >= now);

function lease(running, now) {
    if (running.lease === null) return "never";
    const left = running.lease - now;
    return left >= 0 ? el("span", { title: time(running.lease) }, `in ${duration(Math.round(left))}`)
        : el("span", { class: "bad", title: time(running.lease) }, `${duration(Math.round(-left))} ago`);
}

function doing(w, overview, context, now) {
    if (!w.running) return w.worker === overview.proposer ? "computes a proposal" : el("span", { class: "soft" }, "nothing");
    if (!isBusy(w, now)) return [el("span", { class: "bad" }, "lost with "), trialLink(context, w.running.trial),
        `, attempt ${w.running.attempt}`];
    return [trialLink(context, w.running.trial), w.running.attempt > 1 ? `, attempt ${w.running.attempt}` : null,
        el("span", { class: "soft" }, ` for ${duration(Math.max(0, Math.round(now - w.running.started)))}`)];
}

const row = (w, overview, context, now) => el("tr", {},
    el("th", { scope: "row" }, workerOf(w.worker)),
    el("td", {}, doing(w, overview, context, now)),
    el("td", {}, w.running ? lease(w.running, now) : "–"),
    el("td", {}, ago(w.last_ended, now)),
    el("td", { class: "number" }, count(w.complete)),
    el("td", { class: "number" }, count(w.failed)));

const COLUMNS = ["Worker", "Doing", "Lease ends", "Last result", "Complete", "Failed"];

const BOX = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of workers" };

/** How many evaluate, and how many are lost: silent for longer than their lease. */
function summary({ workers: all }, context, now) {
    const busy = all.filter((w) => isBusy(w, now)).length, overdue = all.filter((w) => w.running).length - busy;
    const when = context.source.live ? "evaluate now" : "were evaluating when this report was created";
    const late = overdue === 0 ? "" : overdue === 1 ? "; 1 is lost: the next worker that asks gets its trial"
        : `; ${count(overdue)} are lost: the next workers that ask get their trials`;
    return `${count(busy)} of ${count(all.length)} ${when}${late}. A worker renews its lease while it works.`;
}

/** What a result is written as; of a study with a table of outputs each one by its name. */
const results = (definition) => (isNamed(definition)
    ? outputsOf(definition).filter(({ of }) => of === null).map((output) => `${output.name}=VALUE`) : ["VALUE"]);

/** The command of a new worker; for a study without a command, those of ask and tell. */
function joining({ name, database }, { definition }) {
    const here = ["--db", database, "--name", name];
    if (definition.command?.length) return el("p", { class: "note" }, command("work", ...here),
        " evaluates trials with the study's command.");
    return el("p", { class: "note" }, command("ask", ...here), " gives a trial to evaluate, ",
        command("tell", "TRIAL", ...results(definition), ...here), " stores its result.");
}

export function workers(overview, context, now) {
    if (overview.workers.length === 0)
        return [el("p", { class: "note" }, "No worker has taken a trial yet. "), joining(overview, context)];
    const others = overview.proposer && !overview.workers.some((w) => w.worker === overview.proposer);
    return [
        el("p", { class: "note" }, summary(overview, context, now)),
        el("div", BOX, el("table", { class: "grid" },
            el("thead", {}, el("tr", {}, COLUMNS.map((c, i) =>
                el("th", { scope: "col", class: i > 3 ? "number" : null }, c)))),
            el("tbody", {}, overview.workers.map((w) => row(w, overview, context, now))))),
        others ? el("p", { class: "note" }, `${overview.proposer} computes a proposal.`) : null,
    ];
}
