// studies.js - all studies of the database.
import { el, renew } from "../dom.js";
import { ago, count, number, sentence, time } from "../format.js";
import { hasSeveral, objectivesOf } from "../goals.js";
import { nameOf, short } from "../names.js";

const stateOf = (s) => {
    if (s.stopped) return "stopped";
    if (s.paused !== null) return el("span", { class: "paused-word", title: s.paused || null }, "paused");
    if (s.running > 0) return `${s.running} running`;
    return s.wanted !== null && s.complete + s.pruned >= s.wanted ? "done" : "idle";
};

/** The length of names that leaves room for the other columns. */
const roomy = () => (innerWidth < 600 ? 22 : 48);

const unreadable = (s) => el("tr", {}, el("th", { scope: "row" }, nameOf(s.name, roomy())),
    el("td", { colspan: COLUMNS.length - 1, class: "soft" }, sentence(s.error)));

/** "minimize"; of a study with a table of outputs "minimize loss", or how many objectives there are. */
function aimOf({ direction, outputs }) {
    if (!outputs) return direction;
    const objectives = objectivesOf({ outputs });
    const words = objectives.length > 1 ? `${objectives.length} objectives`
        : `${objectives[0].goal} ${short(objectives[0].name, 20)}`;
    return el("span", { title: outputs.map(({ name, goal }) => `${name}: ${goal.replace("_", " ")}`).join("\n") }, words);
}

function bestOf({ name, best, outputs, complete }, link) {
    if (best) return el("a", { href: link(name, "trial", { number: best.trial }) }, number(best.value, 6));
    return outputs && complete > 0 && hasSeveral({ outputs }) ? el("a", { href: link(name, "pareto") }, "front") : "–";
}

const row = (s, link, now) => (s.error ? unreadable(s) : el("tr", {},
    el("th", { scope: "row" }, el("a", { href: link(s.name, "overview") }, nameOf(s.name, roomy())),
        s.tags.map((tag) => [" ", el("span", { class: "tag" }, short(tag, 24))])),
    el("td", {}, stateOf(s)),
    el("td", {}, aimOf(s)),
    el("td", {}, s.method),
    el("td", { class: "number" }, s.parameters),
    el("td", { class: "number" }, s.wanted === null ? count(s.complete) : `${count(s.complete + s.pruned)} of ${count(s.wanted)}`),
    el("td", { class: "number" }, count(s.failed)),
    el("td", { class: "number" }, bestOf(s, link)),
    el("td", { title: s.last_event === null ? null : time(s.last_event) }, ago(s.last_event, now)),
    el("td", {}, time(s.created))));

const COLUMNS = [
    "Study", "State", "Direction", "Method", "Parameters", "Complete", "Failed", "Best value", "Last result", "Created"];
const NUMBERS = new Set(["Parameters", "Complete", "Failed", "Best value"]);

export default {
    name: "studies", title: "Studies",
    open(context) {
        const database = el("p", { class: "note mono" });
        const body = el("tbody");
        const head = COLUMNS.map((c) => el("th", { scope: "col", class: NUMBERS.has(c) ? "number" : null }, c));
        const table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of studies" },
            el("table", { class: "grid" }, el("thead", {}, el("tr", {}, head)), body));
        const none = el("p", { class: "empty", hidden: true }, "The database holds no study yet. ",
            el("code", {}, "locbo run"), " or ", el("code", {}, "locbo create"), " creates one; it then appears here.");
        const element = el("div", { class: "view" },
            el("section", { class: "card" }, el("header", {}, el("h1", {}, "Studies")), database, table, none));
        return {
            element,
            async update() {
                const answer = await context.source.get("studies");
                if (answer.studies.length === 1) {
                    context.only(answer.studies[0].name);
                    return;
                }
                renew(database, answer.database);
                none.hidden = answer.studies.length > 0;
                table.hidden = !none.hidden;
                renew(body, answer.studies.map((s) => row(s, context.link, Date.now() / 1000)));
            },
        };
    },
};
