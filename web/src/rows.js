// rows.js - pages of the table of trials: the server's, or made here from the rows that a report holds.
import { real } from "./format.js";

const keyOf = (row, sort) => {
    const value = sort.startsWith("param:") ? row.params[sort.slice(6)]
        : sort.startsWith("outputs.") ? row.outputs?.[sort.slice(8)] : row[sort];
    return ["inf", "-inf"].includes(value) ? real(value) : value;
};

const isMissing = (value) => value === null || value === undefined || value === "";

/** Rows without a value are last in both orders; equal ones are ordered by trial number. */
function compare(sort, order) {
    const sign = order === "asc" ? 1 : -1;
    return (a, b) => {
        const [x, y] = [keyOf(a, sort), keyOf(b, sort)];
        if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y) || a.trial - b.trial;
        return x < y ? -sign : x > y ? sign : a.trial - b.trial;
    };
}

function matches(row, { state, q, tag, miss, feasible }) {
    if (state && !state.split(",").includes(row.state)) return false;
    if (tag && !row.tags.includes(tag)) return false;
    if (miss && row.miss !== true) return false;
    if (feasible && row.feasible !== (feasible === "yes")) return false;
    return !q || `${row.worker ?? ""}\n${row.message ?? ""}\n${row.note ?? ""}`.toLowerCase().includes(q.toLowerCase());
}

export const DEFAULTS = { sort: "trial", order: "desc", state: "", q: "", tag: "", miss: "", feasible: "", page: 1, size: 50 };

/** A page of trials as /api/trials answers; `held` is how many rows a report has. */
export async function trialsPage(source, study, wanted) {
    const w = { ...DEFAULTS, ...wanted };
    if (source.live) return source.get("trials", { study, ...w });
    const all = await source.get("trials");
    if (all.nothing) return all;
    const rows = all.rows.filter((row) => matches(row, w)).sort(compare(w.sort, w.order));
    const [page, size] = [Number(w.page), Number(w.size)];
    const shown = rows.slice((page - 1) * size, page * size);
    return { ...all, ...w, page, size, matching: rows.length, held: all.rows.length, rows: shown };
}

/** One trial; if a report does not contain it, what its row of the table has. */
export async function oneTrial(source, study, number) {
    if (source.has("trial", { number })) return source.get("trial", { study, number });
    const row = (await source.get("trials")).rows?.find((r) => r.trial === Number(number));
    if (!row) return { nothing: `This report does not contain trial ${number}.` };
    const belief = { mean: row.mean, y_interval: row.interval };
    if (row.outputs) return { ...row, beliefs: {}, measurements: null, attempts: null, changes: [] }; // a study with a table of outputs
    return { ...row, belief, measurements: null, outputs: null, changes: [], values: row.value === null ? [] : [row.value] };
}

/** The number of the last trial, or null. */
export async function lastTrial(source, study) {
    const wanted = source.live ? { study, sort: "trial", order: "desc", size: 1 } : {};
    const { rows = [] } = await source.get("trials", wanted);
    return rows.reduce((last, row) => Math.max(last, row.trial), 0) || null;
}
