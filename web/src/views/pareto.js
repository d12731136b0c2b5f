// pareto.js - the trade-off between several objectives: what was measured, the fronts, and the hypervolume over time.
import { chart } from "../chart/frame.js";
import {
    believedRows, drawPareto, hiddenCount, isReferenced, measuredRows, paretoHeight, paretoTable,
} from "../chart/pareto.js";
import { drawVolume, volumeRows, volumeTable } from "../chart/volume.js";
import { el, replace } from "../dom.js";
import { plural, sentence } from "../format.js";
import { constraintsOf, hasSeveral, objectivesOf } from "../goals.js";
import { cached, signature } from "../answers.js";
import { frontTable } from "../parts/front.js";
import { sinceWords, thinnedWords, volumeNote } from "../parts/volume.js";
import { card } from "../parts/words.js";
import { chooser, option } from "./choosers.js";

const NOTE = "Each mark is one trial, at the means of its measurements. No feasible trial is as good as one of the measured "
    + "front in every objective and better in one. Arrows at the axes point to better values; a click opens the trial.";

const areaNote = (data) => (data.objectives.length === 2 && isReferenced(data) ? " The shaded area, between the stairs and the reference point, is the hypervolume." : "");

/** Drawn pictures only; the model may have nothing to say. */
class Pareto {
    constructor(context) {
        Object.assign(this, { context, follows: true, drawn: null });
        this.range = chooser("range", (value) => context.go({ range: value === "front" ? "front" : null }));
        this.picture = chart({
            name: `${context.study}-pareto`, title: "Trade-off", note: NOTE, height: paretoHeight,
            draw: drawPareto, table: paretoTable, controls: [this.range.element],
            label: ({ measured, believed, objectives }) => `${measured.length} trials by ${objectives.map((o) => o.name)
                .join(", ")}; ${measured.filter((r) => r.front).length} on the measured front, ${believed.length} on the `
                + "believed one",
        });
        this.volume = chart({
            name: `${context.study}-hypervolume`, title: "Hypervolume", height: 300, draw: drawVolume, table: volumeTable,
            label: ({ since }) => `Hypervolume over the trials. ${sinceWords(since)}`,
        });
        this.measured = el("div", { class: "stack" });
        this.believed = el("div", { class: "stack" });
        this.element = el("div", { class: "view" },
            el("div", { class: "sides" }, this.picture.element, el("div", { class: "stack" }, this.volume.element)),
            card("Measured front", this.measured), card("Believed front", this.believed));
    }

    async update() {
        const { source, study, params } = this.context;
        const overview = await source.get("overview", { study }), now = signature(overview.events, params);
        const near = params.range === "front";
        this.range.set([option("all", "all values"), option("front", "near the fronts")], near ? "front" : "all");
        if (now === this.drawn) return;
        const ask = cached(source, study, overview.events);
        const [answer, volume, choices] = await Promise.all([ask("pareto"), ask("hypervolume"), ask("choices")]);
        this.showVolume(volume);
        this.showPicture(answer, near);
        this.showFronts(answer, choices);
        this.drawn = now;
    }

    showVolume(answer) {
        if (answer.nothing || answer.trial.length === 0)
            return this.volume.empty(answer.nothing ?? answer.why ?? "No trial has extended a front yet.");
        return this.volume.show({ rows: volumeRows(answer), ...answer }, volumeNote(answer));
    }

    showPicture(answer, near) {
        const { definition, link } = this.context;
        this.range.element.hidden = Boolean(answer.nothing);
        if (answer.nothing) return this.picture.empty(answer.nothing);
        const scales = new Map(objectivesOf(definition).map(({ name, scale }) => [name, scale]));
        const objectives = answer.objectives.map((o) => ({ ...o, log: scales.get(o.name) === "log" }));
        const data = {
            objectives, measured: measuredRows(answer), believed: believedRows(answer), reference: answer.reference,
            level: answer.level, near, constrained: constraintsOf(definition).length > 0,
            open: (trial) => { location.hash = link("trial", { number: trial }); },
        };
        if (!data.measured.length) return this.picture.empty("No trial has a value of every objective yet.");
        const out = near ? hiddenCount(data) : 0;
        return this.picture.show(data, NOTE + areaNote(data) + thinnedWords(answer)
            + (out ? ` ${plural(out, "trial lies", "trials lie")} outside the picture.` : ""));
    }

    showFronts(answer, { best, recommended, why, nothing }) {
        const none = (words) => el("p", { class: "note" }, sentence(words));
        replace(this.measured, best?.front?.length ? frontTable(best.front, "value", this.context)
            : none(nothing ?? "no feasible trial has been measured yet"));
        replace(this.believed, recommended?.front?.length ? frontTable(recommended.front, "mean", this.context)
            : none(answer.why ?? why ?? nothing ?? "there is none yet"));
    }
}

export default { name: "pareto", title: "Pareto", fits: hasSeveral, open: (context) => new Pareto(context) };
