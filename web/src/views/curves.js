// curves.js - evaluations that report steps: their curves, live, which of them were ended early, and the account of that.
import { beyond, canLog, curveRows, curvesTable, drawCurvesChart } from "../chart/curves.js";
import { chart } from "../chart/frame.js";
import { el, renew } from "../dom.js";
import { count, plural, real } from "../format.js";
import { endedFacts, endedWords } from "../parts/ended.js";
import { card, facts } from "../parts/words.js";
import { chooser, option } from "./choosers.js";

const NOTE = "What each evaluation reported, step by step, in its last attempt. A cross is where one was ended early; a diamond, "
    + "where one could have been ended and was kept by the coin. Point at a curve to see its trial; click to open it.";

const thinned = ({ matching, shown }) => (shown === matching ? "" : ` ${count(matching)} curves, ${count(shown)} shown: the best, `
    + "those under way, and some of the others.");

const AXES = [["", "linear"], ["x", "log steps"], ["y", "log values"], ["xy", "log both"]];

const label = ({ rows, ended }) => `Curves of ${plural(rows.length, "evaluation")}, `
    + `${rows.filter((r) => r.state === "RUNNING").length} running, ${rows.filter((r) => r.decision?.ended).length} ended early. `
    + (endedWords(ended) ?? "");

class Curves {
    constructor(context) {
        Object.assign(this, { context, follows: true });
        this.axes = chooser("axes", (value) => context.go({ axes: value }));
        this.range = chooser("range", (value) => context.go({ range: value }));
        this.picture = chart({
            name: `${context.study}-curves`, title: "Curves", note: NOTE, draw: drawCurvesChart, table: curvesTable, label,
            height: (width) => Math.max(320, Math.min(0.5 * width, innerHeight - 280)), controls: [this.axes.element, this.range.element],
        });
        this.line = el("p", { class: "ended-line", hidden: true });
        this.account = el("div", { class: "stack" });
        this.element = el("div", { class: "view" }, this.line, this.picture.element,
            card("Ended early", this.account));
    }

    async update() {
        const { source, study } = this.context;
        const answer = await source.get("curves", { study });
        const words = endedWords(answer.ended);
        this.line.hidden = words === null;
        this.line.textContent = words ?? "";
        if (answer.nothing) return this.picture.empty(answer.nothing);
        renew(this.account, this.accountParts(answer.ended));
        return this.show(answer);
    }

    accountParts(ended) {
        if (ended.rule === "none" && ended.could_end === 0) return [el("p", { class: "note" },
            "No rule ends evaluations early: the plan's option “prune” is none."), facts(endedFacts(ended))];
        return [facts(endedFacts(ended)), ended.rule === "risk" ? el("p", { class: "note" },
            "A mistaken end is one of an evaluation that would have beaten the best value of that moment. One of ten that could be "
            + "ended is kept to its end, drawn by lot: those say how large the share is.") : null].filter(Boolean);
    }

    show(answer) {
        const { params, link } = this.context, rows = curveRows(answer);
        const can = { x: canLog(rows, "step"), y: canLog(rows, "value") };
        const wanted = AXES.some(([value]) => value === params.axes) ? params.axes ?? "" : "";
        this.axes.set(AXES.map(([value, text]) => ({ ...option(value, text), disabled: [...value].some((axis) => !can[axis]) })), wanted);
        const range = ["all", "ends"].includes(params.range) ? params.range : "";
        this.range.set([option("", "most values"), option("all", "all values"), option("ends", "where curves end")], range);
        const data = {
            rows, ended: answer.ended, direction: answer.direction, output: answer.output, incumbent: real(answer.incumbent),
            logX: wanted.includes("x"), logY: wanted.includes("y"), range,
            open: (trial) => { location.hash = link("trial", { number: trial }); },
        };
        const out = beyond(data);
        this.picture.show(data, NOTE + thinned(answer)
            + (out ? ` ${plural(out, "curve leaves", "curves leave")} the picture: the range “all values” has them whole.` : ""));
    }
}

/** Once an evaluation has reported a step. */
export default { name: "curves", title: "Curves", fits: ({ curves }) => curves === true, open: (context) => new Curves(context) };
