// source.js - the source of the answers: the server that sent this page, or the report that contains it.

const embedded = document.getElementById("report-data");
const report = embedded ? JSON.parse(embedded.textContent) : null;

/** Whether the page is from a server, not a report. */
export const live = report === null;
/** {made, version} of a report; null on a server's page. */
export const about = report && { made: report.made, version: report.version };

const words = (params) => Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");

/** The key of an answer in a report: without study, events and points. */
function keyOf(view, params) {
    const query = words({ ...params, study: null, events: null, points: null });
    return query ? `${view}?${query}` : view;
}

/** Whether this answer can be had: a report contains some, a server has all. */
export const has = (view, params = {}) => live || keyOf(view, params) in report.answers;

/** An answer of docs/api.md as an object; throws an Error with the server's message. {"nothing": why} is an answer. */
export async function get(view, params = {}, signal = undefined) {
    if (!live) {
        const answer = report.answers[keyOf(view, params)];
        return answer ?? { nothing: "This report does not contain it; locbo serve shows it." };
    }
    const query = words(params);
    return ask(`api/${view}${query ? "?" + query : ""}`, { signal });
}

/** The same source, whose answers are not waited for once the signal says so. */
export const until = (signal) => ({
    live, about, has, token, post, watch, signal, get: (view, params = {}) => get(view, params, signal),
});

const unreached = "The server cannot be reached; trying again.";

async function ask(address, how) {
    const response = await fetch(address, how).catch((problem) => {
        if (problem.name === "AbortError") throw problem;
        throw Object.assign(new Error(unreached), { status: 0 });
    });
    const answer = await response.json().catch((problem) => {
        if (problem.name === "AbortError") throw problem;
        return { error: `the server answered ${response.status} without a message` };
    });
    if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
    return answer;
}

// ---- edits: only with the token that locbo serve --allow-edit prints as part of its address

const NAME = "locbo-token";
let kept = null; // used where the browser stores nothing
/** Remove the token from the address, where others could see it, and keep it. */
export function takeToken() {
    const given = /^#token=([0-9a-f]+)/.exec(location.hash);
    if (!live || !given) return;
    kept = given[1];
    history.replaceState(null, "", "#/");
    try {
        sessionStorage.setItem(NAME, kept);
    } catch { /* then it is kept until the page is closed */ }
}
export function token() {
    try {
        return live ? kept ?? sessionStorage.getItem(NAME) : null;
    } catch {
        return kept;
    }
}

export const post = (what, body) => ask(`api/${what}`, {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token()}` },
});

/** Call `on.change({stamp, trials, events})` whenever the study changed, `on.trouble(message)` when server or database fail,
 *  `on.fine()` when they work again, `on.gone()` when the study was deleted. Returns a function that ends it. */
export function watch(study, on) {
    if (!live) return () => {};
    let stream = null, timer = 0;
    const close = () => {
        clearTimeout(timer);
        stream?.close();
        stream = null;
    };
    const open = () => {
        stream = new EventSource(`api/events?${words({ study })}`);
        stream.addEventListener("change", (event) => {
            on.fine();
            on.change(JSON.parse(event.data));
        });
        stream.addEventListener("trouble", (event) => on.trouble(JSON.parse(event.data).error));
        stream.addEventListener("gone", () => {
            close();
            on.gone();
        });
        stream.onerror = () => {
            on.trouble(unreached);
            if (stream?.readyState === EventSource.CLOSED) timer = setTimeout(open, 3000); // the browser has given up
        };
    };
    // a browser opens few connections to one server: hidden pages must not use them
    const look = () => (document.hidden ? close() : stream ?? open());
    document.addEventListener("visibilitychange", look);
    look();
    return () => {
        document.removeEventListener("visibilitychange", look);
        close();
    };
}
