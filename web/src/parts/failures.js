// failures.js - a warning if the last evaluations or all of them failed, with the last message.
import { el } from "../dom.js";
import { plural } from "../format.js";
import { short, visible } from "../names.js";
import { trialsPage } from "../rows.js";
import { trialLink } from "./words.js";

const MANY = 3, STATES = "FAILED,INFEASIBLE";

/** No trial that has ended is complete. */
const isAll = ({ states: s }) => s.COMPLETE === 0 && s.FAILED + s.INFEASIBLE > 0;
const isWorth = (overview) => isAll(overview) || overview.failures_in_row >= MANY;

/** The trial that failed last, if there is something to warn of. */
export async function lastFailure(overview, { source, study }) {
    if (!isWorth(overview)) return null;
    const { rows = [] } = await trialsPage(source, study, { state: STATES, sort: "ended", order: "desc", size: 1 });
    return rows[0] ?? null;
}

function wordsOf(overview) {
    const { FAILED: failed, INFEASIBLE: infeasible } = overview.states, all = failed + infeasible;
    if (!isAll(overview)) return `The last ${overview.failures_in_row} trials failed.`;
    const how = infeasible === 0 ? "failed" : failed === 0 ? (all === 1 ? "was infeasible" : "were infeasible")
        : "failed or were infeasible";
    return `${all === 1 ? "The only trial that has ended" : `All ${plural(all, "trial")} that have ended`} ${how}.`;
}

export function failures(overview, last, context) {
    if (!isWorth(overview)) return null;
    return el("p", { class: "warning" }, `${wordsOf(overview)} `,
        last ? ["The last one: ", trialLink(context, last.trial),
            last.message ? `, “${short(visible(last.message), 300)}”` : null, ". "] : null,
        el("a", { href: context.link("trials", { state: STATES }) }, "All failed trials"));
}
