// overview.js - the state of a study on one page.
import { chart } from "../chart/frame.js";
import { drawHistory, historyTable, rowsOf, thinned } from "../chart/history.js";
import { drawVolume, volumeRows, volumeTable } from "../chart/volume.js";
import { el, renew } from "../dom.js";
import { plural } from "../format.js";
import { constraintsOf, goalWords, hasSeveral, isNamed, objectivesOf } from "../goals.js";
import { latestOnly } from "../latest.js";
import { cached } from "../answers.js";
import { changes } from "../parts/changes.js";
import { choices } from "../parts/choices.js";
import { coverage } from "../parts/coverage.js";
import { definitionParts } from "../parts/definition.js";
import { edits } from "../parts/edits.js";
import { failures, lastFailure } from "../parts/failures.js";
import { learnt } from "../parts/learnt.js";
import { studyNote } from "../parts/notes.js";
import { endedLine, feasibleCounts, rules, states, times } from "../parts/progress.js";
import { volumeNote } from "../parts/volume.js";
import { workers } from "../parts/workers.js";

const POINTS = 600;
const NO_FRONT = "No trial has extended the front yet.";
const NOTE = "Measured values, the sets announced for them, and the best so far.";

/** A card with replaceable content; {element, show(...)} */
function panel(title) {
    const inside = el("div", { class: "stack" });
    return {
        element: el("section", { class: "card", "aria-label": title }, el("header", {}, el("h2", {}, title)), inside),
        show: (...children) => renew(inside, ...children),
    };
}

function stopNote({ stopped, stop_reason: reason }) {
    if (!stopped) return null;
    return el("p", { class: "warning" }, reason ? `The study is stopped: ${reason}` : "The study is stopped.");
}

function pauseNote({ paused }) {
    if (paused === null) return null;
    return el("p", { class: "warning" }, `The study is paused${paused ? `: ${paused}` : ""}. Workers wait until it is resumed.`);
}

/** "minimize with locbo", "minimize loss, latency; memory at most 512 · method locbo" */
function aimOf(o, definition) {
    if (!isNamed(definition)) return `${o.direction} with ${o.method}`;
    const all = (wanted) => objectivesOf(definition).filter(({ goal }) => goal === wanted)
        .map(({ name }) => name).join(", ");
    const goals = ["minimize", "maximize"].filter(all).map((goal) => `${goal} ${all(goal)}`);
    const bounds = constraintsOf(definition).map((c) => `${c.name} ${goalWords(c)}`);
    return `${[...goals, ...bounds].join("; ")} · method ${o.method}`;
}

const about = (o, definition) => el("p", { class: "soft" },
    `${aimOf(o, definition)} · ${plural(o.trials, "trial")}, ${plural(o.measurements, "measurement")} · `,
    el("span", { class: "mono" }, o.database));

export default {
    name: "overview", title: "Overview",
    open(context) {
        const { source, study } = context;
        const progress = panel("Progress"), pace = panel("Time"), chosen = panel(hasSeveral(context.definition)
            ? "Fronts, measured and recommended" : "Best observed and recommended");
        const covered = panel("Coverage"), workerPanel = panel("Workers"), model = panel("What the model learnt");
        const changed = panel("Changes"), definition = el("div", { class: "stack" });
        changed.element.hidden = true;
        const folded = el("details", { class: "card" }, el("summary", {}, "Definition of the study"), definition);
        const top = el("div", { class: "stack" });
        const several = hasSeveral(context.definition), height = (width) => (width < 500 ? 320 : 300);
        const trend = several ? chart({
            name: `${study}-hypervolume`, title: "Hypervolume", draw: drawVolume, table: volumeTable, height,
        }) : chart({
            name: `${study}-history`, title: "History", draw: drawHistory, table: historyTable, height, note: NOTE,
        });
        const change = source.token() ? edits(context) : null;
        if (change) change.element.hidden = true;
        const element = el("div", { class: "view" }, top,
            el("div", { class: "sides" },
                el("div", { class: "stack" }, progress.element, chosen.element, trend.element),
                el("div", { class: "stack" }, covered.element, pace.element, model.element)),
            workerPanel.element, changed.element, change?.element, folded);

        let last = null, ahead = 0; // the last overview, and the database's clock minus ours, in seconds
        const showTimes = () => {
            if (last === null) return;
            const now = source.live ? Date.now() / 1000 + ahead : last.now;
            pace.show(times(last, now));
            workerPanel.show(workers(last, context, now));
        };
        const timer = source.live ? setInterval(() => !document.hidden && showTimes(), 1000) : 0;

        function showOverview(o, failed) {
            [last, ahead] = [o, o.now - Date.now() / 1000];
            renew(top, about(o, context.definition), stopNote(o), pauseNote(o), failures(o, failed, context), studyNote(o));
            progress.show(states(o, context), endedLine(o, context), feasibleCounts(o, context), rules(o, context));
            covered.show(coverage(o, context));
            showTimes();
            change?.show(o);
        }
        function showChanges(log) {
            changed.element.hidden = !log.rows?.length;
            if (log.rows?.length) changed.show(changes(log, context));
        }
        function showVolume(answer) {
            if (answer.nothing || answer.trial.length === 0) trend.empty(answer.nothing ?? answer.why ?? NO_FRONT);
            else trend.show({ rows: volumeRows(answer), ...answer }, volumeNote(answer));
        }
        function showTrend(answer) {
            const open = (trial) => { location.hash = context.link("trial", { number: trial }); };
            if (answer.nothing || answer.columns.trial.length === 0) trend.empty(answer.nothing ?? "There is no trial yet.");
            else trend.show({ answer, rows: rowsOf(answer), small: true, open }, NOTE + thinned(answer));
        }
        function showChoices(answer) {
            chosen.show(choices(answer, context));
            model.show(learnt(answer, context));
        }
        const byModel = latestOnly(context.fail);
        let answered = false;
        /** The model may take seconds; until its first answer only the best measurement is shown. */
        function askModel({ best, events }) {
            const why = "the model is being computed …";
            if (!answered && several) showChoices({ best: null, recommended: null, model: null, why });
            else if (!answered)
                showChoices({ best: best && { ...best, interval: null }, recommended: null, model: null, why });
            byModel(async () => {
                showChoices(await cached(source, study, events)("choices"));
                answered = true;
            });
        }

        return {
            element,
            async update() {
                const [o, all, log, values] = await Promise.all([source.get("overview", { study }),
                    source.get("definition", { study }), source.get("log", { study }),
                    several ? source.get("hypervolume", { study }) : source.get("history", { study, points: POINTS })]);
                showOverview(o, await lastFailure(o, context));
                renew(definition, definitionParts(all));
                showChanges(log);
                (several ? showVolume : showTrend)(values);
                askModel(o);
                if (change) change.element.hidden = !(await source.get("studies")).edit;
            },
            close: () => clearInterval(timer),
        };
    },
};
