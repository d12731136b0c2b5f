// answers.js - answers kept until the study has a new event, since the server may have to compute a model for them.

/** A text that changes when a picture must be drawn again. */
export const signature = (events, params) => JSON.stringify([events, params, document.documentElement.dataset.theme ?? null,
    matchMedia("(prefers-color-scheme: dark)").matches]);

const MOST = 200;
const kept = new Map();

/** cached(source, study, events)(view, params): the answer at that number of events or later, requested once. The server
 *  need not compute the model anew for each of them. */
export const cached = (source, study, events) => (view, params = {}) => {
    const key = JSON.stringify([study, view, params]);
    const last = kept.get(key);
    if (last && last.events === events && !last.source.signal?.aborted) return last.answer;
    const answer = source.get(view, { study, events: events || null, ...params });
    kept.delete(key);
    kept.set(key, { events, answer, source });
    answer.catch(() => {
        if (kept.get(key)?.answer === answer) kept.delete(key);
    });
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
    return answer;
};
