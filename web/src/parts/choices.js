// choices.js - the best observed and the recommended point, side by side.
import { el } from "../dom.js";
import { interval, number, percent, real, sentence } from "../format.js";
import { paramsTable, trialLink } from "./words.js";

const range = (choice) => (choice.interval ? [el("span", { class: "soft" }, "objective between "), interval(choice.interval),
    el("span", { class: "soft" }, ` (${percent(choice.level)})`)] : el("span", { class: "soft" }, "no interval"));

function side(kind, title, choice, value, context) {
    return el("div", { class: `pick ${kind}` },
        el("h3", {}, title),
        el("p", {}, el("span", { class: "big" }, number(value, 6)), " ",
            trialLink(context, choice.trial) ?? el("span", { class: "soft" }, "not evaluated yet")),
        el("p", {}, range(choice)),
        paramsTable(context.definition, choice.params));
}

/** How the two differ, in one sentence. */
function difference({ best, recommended, model }) {
    if (!recommended) return null;
    const noise = real(model?.noise_sd) > 0 ? ` With a noise of about ${number(model.noise_sd, 2)} ` : " Under noise ";
    if (recommended.trial !== null && recommended.trial === best.trial)
        return "Both are the same trial: the best measurement was not just luck, as far as the model can tell.";
    return "The best observed value is one measurement, maybe a lucky one; the recommended point has the model's best mean."
        + `${noise}the recommended one is the safer choice.`;
}

export function choices(answer, context) {
    const { best, recommended, why, nothing = "there is no result yet" } = answer;
    if (!best) return [el("p", { class: "empty" }, sentence(nothing))];
    return [
        el("p", { class: "note" }, difference(answer)),
        el("div", { class: "picks" },
            side("best", "Best observed", best, best.value, context),
            recommended ? side("recommended", "Recommended", recommended, recommended.mean, context)
                : el("div", { class: "pick recommended" }, el("h3", {}, "Recommended"),
                    el("p", { class: "soft" }, sentence(why ?? "nothing yet")))),
    ];
}
