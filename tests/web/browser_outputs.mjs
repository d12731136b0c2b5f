// browser_outputs.mjs - the dashboard of studies with several outputs: the Pareto view, the chooser of outputs, feasibility, in
// Debian's Chromium with the real server, one study running meanwhile. Every console message is a failure. With SHOTS=DIR a
// screenshot of every view is saved.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, folder, locbo, locboPath, run, script, serve, start, stop, until } from "./harness.mjs";
import {
    closeBrowser, downloads, drawn, everyView, finish, go, hash, holds, launch, open, sideways, textOf, VIEWS,
} from "./pages.mjs";

const [OVERVIEW, ...OTHERS] = VIEWS, WITH_FRONT = [OVERVIEW, "pareto", ...OTHERS];
const LONG = "a_name_of_an_output_that_is_as_long_as_some_are_in_practice";
const FEW = Boolean(process.env.SANITIZE); // each evaluation of the model takes long then

/** An answer of the server, requested by the page. */
const answer = (page, view, query) => page.evaluate((at) => fetch(at).then((a) => a.json()), `api/${view}?${query}`);

const charts = (page) => page.locator("section.chart");
const texts = (page, selector) => page.locator(selector).allTextContents();
const chooser = (page, label) => page.locator(`label.chooser:has(span:text-is("${label}")) select`).first();

// ---- which views there are

async function navigation(url) {
    const page = await open(url + hash("cooler", "overview"));
    await drawn(page, "overview");
    const titles = () => texts(page, "nav.views a");
    check((await titles()).join() === "Overview,Pareto,History,Calibration,Model,Parameters,Trials", "the views are", await titles());
    await page.keyboard.press("2");
    await drawn(page, "pareto");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] tr:nth-child(2):has-text(\"Pareto\")");
    await page.keyboard.press("Escape");
    for (const study of ["bread", "bounded"]) { // no outputs; one objective
        await page.evaluate((to) => { location.hash = to; }, hash(study, "pareto"));
        await drawn(page, "overview");
        check((await titles()).length === VIEWS.length, study, "has the views", await titles());
        await page.keyboard.press("2");
        await drawn(page, "history");
    }
    check(await chooser(page, "Output").isVisible(), "no chooser of outputs");
    await go(page, "bread", "history");
    check(!await chooser(page, "Output").isVisible(), "a study without a table of outputs has a chooser of them");
    await finish(page);
    console.log("the Pareto view is in the navigation of studies with several objectives, and of no other");
}

// ---- the Pareto view

async function pareto(url) {
    const page = await open(url + hash("cooler", "pareto"));
    await drawn(page, "pareto");
    const { columns: c, believed, objectives } = await answer(page, "pareto", "study=cooler");
    const on = c.front.filter(Boolean).length, broken = c.feasible.filter((f) => f === false).length;
    const label = await charts(page).first().locator("svg").getAttribute("aria-label");
    check(label.includes(`${on} on the measured front, ${believed.length} on the believed one`), "another front:", label);
    const shapes = (name) => page.evaluate((kind) => (document.querySelector(`.picture > svg g[clip-path] > path.${kind}`)
        .getAttribute("d").match(/M/g) ?? []).length, name);
    check(await shapes("violating") === broken, "not every trial that breaks a constraint is a square");
    check(await charts(page).first().locator("path.step").count() > 0, "the front has no stairs");
    const named = await texts(page, "section.chart .label");
    check(objectives.every(({ name, goal }) => named.includes(`← ${name} (${goal})`)), "the axes are called", named.join(" | "));
    check((await page.locator("section.card:has-text(\"Measured front\") tbody tr").count()) === on, "the table has another front");
    const csv = await downloads(page, "CSV");
    check(csv.split("\n").length === c.trial.length + believed.length + 2, "the CSV has not all points:", csv.slice(0, 200));

    // the pointer finds a trial, a click opens it
    const box = await page.locator("section.chart .hit").first().boundingBox();
    let words = "";
    for (let i = 1; i < 400 && !/^Trial \d+/.test(words); i++) {
        await page.mouse.move(box.x + (i % 20) * box.width / 20, box.y + Math.floor(i / 20) * box.height / 20);
        words = await page.locator(".tip").evaluate((tip) => (tip.hidden ? "" : tip.innerText));
    }
    const number = /^Trial (\d+)/.exec(words)?.[1];
    check(number && objectives.every(({ name }) => words.includes(name)), "no trial under the pointer:", words);
    const mark = await page.locator("section.chart .near").first().boundingBox();
    await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
    await page.waitForSelector(`h1:text-is("Trial ${number}")`);

    await go(page, "cooler", "pareto");
    const before = await page.locator(".picture > svg").first().innerHTML();
    await chooser(page, "range").selectOption("front");
    await holds(page, (old) => document.querySelector(".picture > svg").innerHTML !== old, before);
    check(page.url().includes("range=front"), "the address does not say the range:", page.url());
    await go(page, "three", "pareto");
    check(await charts(page).first().locator(".hit").count() === 3, "three objectives have no matrix of three pairs");
    const { since } = await answer(page, "hypervolume", "study=three");
    check((await textOf(page, "section.chart:has(h2:text-is(\"Hypervolume\")) .note"))
        .includes(since ? `Not improved for ${since} completed trial` : "The last completed trial improved it"), "since when it has not grown");
    await finish(page);
    console.log("the Pareto view: fronts, stairs, directions, a trial under the pointer, ranges, pairs of three objectives");
}

// ---- a study that is running

async function live(url) {
    const page = await open(url + hash("running", "pareto"));
    await drawn(page, "pareto");
    await page.evaluate(() => { window.sameDocument = true; });
    const seen = async () => Number(/^(\d+) trials/.exec(await charts(page).first().locator("svg").getAttribute("aria-label", { timeout: 30000 }))?.[1]);
    await until(async () => await charts(page).first().locator("svg").count() > 0, "the first front");
    const first = await seen();
    await until(async () => (await seen()) > first + 1, "more trials in the Pareto view");
    await go(page, "running", "overview");
    const points = async () => Number(/(\d+) of 40/.exec(await textOf(page, "main"))?.[1] ?? 0);
    const now = await points();
    await until(async () => (await points()) > now, "more results in the overview");
    check(await page.evaluate(() => window.sameDocument), "the page was loaded again");
    await finish(page);
    console.log("a running study with two objectives: the front grows without reload");
}

// ---- the chooser of outputs, and feasibility

async function outputs(url) {
    const page = await open(url + hash("bounded", "history"));
    await drawn(page, "history");
    check(await page.locator("path.violating[d]").count() > 0, "no result is marked as breaking a constraint");
    check(await page.locator("svg line.bound").count() === 0, "an objective has a bound");
    await chooser(page, "Output").selectOption("memory");
    await page.waitForSelector("svg line.bound", { state: "attached" });
    check((await texts(page, ".label")).includes("memory (at most 230)"), "the axis is called", (await texts(page, ".label")).join(" | "));
    check(page.url().includes("output=memory"), "the address does not say the output:", page.url());
    const csv = await downloads(page, "CSV");
    check(csv.startsWith("trial,state,origin,memory,") && csv.split("\n")[0].endsWith(",feasible"), "the CSV is of another output:", csv.slice(0, 90));
    await chooser(page, "Output").selectOption("epochs");
    await holds(page, () => [...document.querySelectorAll(".label")].some((l) => l.textContent === "epochs (recorded)"));

    await go(page, "bounded", "model", "?output=memory");
    await page.waitForSelector("svg line.bound", { state: "attached" });
    check((await texts(page, ".key")).includes("at most 230"), "the bound is not in the key");
    await chooser(page, "Show").selectOption("feasible");
    await page.waitForSelector("text=probability that all constraints hold");
    await go(page, "bounded", "calibration", "?output=accuracy");
    check(/measurements? of accuracy lay in the set/.test(await textOf(page, ".headline")), "the verdict is of another output");
    await go(page, "bounded", "parameters", "?output=memory");
    check((await texts(page, ".axis-name")).some((t) => t.startsWith("memory")), "parallel coordinates of another output");
    await go(page, "bounded", "parameters", "?output=epochs");
    await page.waitForSelector("text=A recorded output is not modelled");

    const { feasible } = await answer(page, "overview", "study=bounded");
    await go(page, "bounded", "overview");
    await page.locator("a:text-is(\"not feasible\")").click();
    await drawn(page, "trials");
    await page.waitForSelector(`text=${feasible.no} of`);
    check((await texts(page, "td .broken-word")).length === Math.min(50, feasible.no), "trials that are feasible among the others");
    await page.locator("th button:text-is(\"memory\")").click();
    await page.waitForSelector("th[aria-sort=ascending]:has-text(\"memory\")");
    const values = (await texts(page, "table.grid tbody tr td:nth-child(4)")).map((v) => Number(v));
    check(values.length > 3 && values.every((v, i) => i === 0 || values[i - 1] <= v), "not sorted by memory:", values.join(" "));
    await page.locator("table.grid tbody tr a").first().click();
    await page.waitForSelector("h1:has-text(\"Trial \")");
    await page.waitForSelector("text=✕ not feasible");
    check((await texts(page, "section.chart h2")).join() === "loss,memory,accuracy", "not a chart for each modelled output");
    check((await texts(page, "section.card:has-text(\"Measurements\") th")).join().startsWith("loss,memory,accuracy,epochs"),
        "the measurements are not those of each output");

    await go(page, "bounded", "overview");
    for (const words of ["minimize loss; memory at most 230; accuracy at least 0.6", "feasible with probability", "all outputs at once"])
        await until(async () => (await textOf(page, "main")).includes(words), `the overview to say ${words}`); // by the model, later
    await finish(page);
    console.log("the chooser of outputs, bounds, feasibility in the table, of a trial, in the overview");
}

// ---- nothing yet, long names

async function extremes(url) {
    for (const size of ["wide", "phone"]) {
        const page = await open(url + hash("empty", "overview"), { size });
        for (const view of WITH_FRONT) {
            await go(page, "empty", view);
            await until(async () => /no (trial|result|model)/i.test(await textOf(page, "main")), `the ${view} of an empty study to say so`);
        }
        for (const view of WITH_FRONT) {
            await go(page, "long", view);
            check(await sideways(page) <= 0, "long names in", view, "scroll sideways at", size, "by", await sideways(page));
        }
        await page.evaluate((to) => { location.hash = to; }, hash("long", "trial", "?number=8"));
        await page.waitForSelector("h1:text-is(\"Trial 8\")");
        check(await sideways(page) <= 0, "long names of a trial scroll sideways at", size);
        await finish(page);
    }
    console.log("a study without results, long names of outputs: said, cut");
}

// ---- what a screen reader needs

async function named(url) {
    const page = await open(url);
    for (const view of WITH_FRONT) {
        await go(page, "cooler", view);
        const bare = await page.evaluate(() => [
            ...[...document.querySelectorAll("main select, main input")].filter((e) => !e.labels?.length && !e.ariaLabel && !e.title),
            ...[...document.querySelectorAll(".picture > svg")].filter((e) => e.getAttribute("role") !== "img" || !e.getAttribute("aria-label")),
            ...[...document.querySelectorAll("main .tall, main .scroll[tabindex]")].filter((e) => e.tabIndex !== 0 || !e.ariaLabel),
        ].map((e) => e.outerHTML.slice(0, 120)));
        check(bare.length === 0, view, "has controls or pictures without a name:", bare.join(" | "));
    }
    await finish(page);
    console.log("controls, pictures and boxes that scroll have names");
}

// ---- names of outputs: the program allows letters only, a page must not rely on it

const NASTY = { cost: "<script>window.hacked=1</script>", power: "<img src=x onerror=window.hacked=1>", outlet: "<b>\"'&</b>", weight: "javascript:window.hacked=1" };

/** Answers as if the outputs had these names. */
async function rename(page) {
    const real = Object.fromEntries(Object.entries(NASTY).map(([name, text]) => [text, name]));
    await page.route(/\/api\/(?!events)/, async (route) => {
        const at = new URL(route.request().url()), output = at.searchParams.get("output"), sort = at.searchParams.get("sort");
        if (output) at.searchParams.set("output", real[output] ?? output);
        if (sort?.startsWith("outputs.")) at.searchParams.set("sort", `outputs.${real[sort.slice(8)] ?? sort.slice(8)}`);
        const response = await route.fetch({ url: at.href });
        const body = Object.entries(NASTY).reduce((text, [name, other]) => text.replaceAll(`"${name}"`, JSON.stringify(other)), await response.text());
        await route.fulfill({ response, body });
    });
}

async function hostile(url) {
    const page = await open(url + hash("cooler", "overview"), { prepare: rename });
    await drawn(page, "overview");
    const shown = async (where) => {
        const all = await page.evaluate(() => document.querySelector("main").textContent);
        check(all.includes(NASTY.cost) || all.includes("<scrip"), where, "does not show the name as it is");
        check(await page.evaluate(() => window.hacked === undefined && document.querySelectorAll("main script, main img, main b img").length === 0),
            "a name was interpreted in", where);
    };
    for (const view of WITH_FRONT) {
        await go(page, "cooler", view);
        await shown(view);
    }
    for (const view of ["history", "model", "calibration", "parameters"]) {
        await go(page, "cooler", view, `?output=${encodeURIComponent(NASTY.outlet)}`);
        await shown(view);
    }
    await page.evaluate((to) => { location.hash = to; }, hash("cooler", "trial", "?number=20"));
    await page.waitForSelector("h1:text-is(\"Trial 20\")");
    await shown("trial");
    await finish(page);
    console.log("names of outputs full of HTML: shown, never interpreted");
}

// ---- the report

async function reports() {
    for (const study of ["cooler", "three", "bounded"]) {
        locbo("report", "--db", "outputs.db", "--name", study, "-o", "report.html");
        const page = await open(pathToFileURL(join(folder, "report.html")).href);
        await page.waitForSelector("nav.views a");
        for (const view of study === "bounded" ? VIEWS : WITH_FRONT) {
            await go(page, study, view);
            if (view !== "trials") check(await charts(page).locator("svg").count() > 0, "the report draws nothing:", study, view);
            const lacking = await page.evaluate(() => [...document.querySelectorAll("main option:disabled")].map((o) => o.title)
                .filter((words) => !/point|trial|front/.test(words)));
            check(lacking.length === 0, "the report of", study, "lacks in", view, lacking.join(", "));
        }
        if (study === "bounded") {
            await go(page, study, "model", "?output=memory");
            await page.waitForSelector("svg line.bound", { state: "attached" });
            await go(page, study, "trials", "?feasible=no&sort=outputs.memory&order=asc");
            const words = await texts(page, "table.grid tbody td:nth-child(7)");
            check(words.length > 0 && words.every((w) => w === "✕ no"), "the report does not filter:", words.join(" "));
        }
        await page.evaluate((to) => { location.hash = to; }, hash(study, "trial", "?number=7"));
        await page.waitForSelector("h1:text-is(\"Trial 7\")");
        await finish(page);
    }
    console.log("reports: fronts, and every output in every view");
}

// ---- the studies

/** Prints results by name; the constraints hold in parts of the square. */
const TRUTH = `#!/bin/sh
sleep "\${4:-0}"
awk -v x="$1" -v y="$2" -v s="$3" 'BEGIN {
    srand(s); e = 0.02 * (rand() - 0.5)
    printf "loss=%g\\nlatency=%g\\naccuracy=%g\\nmemory=%g\\nepochs=%d\\n", (x - 0.2)^2 + 0.1 * y + e,
        10 * exp(2 * (1 - x)) * (1 + 0.3 * y) * (1 + e), 1 / (1 + exp(-3 * (y - x))) + e, 200 + 400 * x * y + 10 * e, 5 + 20 * y
}'
`;

function makeStudies() {
    locbo("demo", "--db", "outputs.db");
    const truth = script("truth", TRUTH), where = ["-p", "x~float(0,1)", "-p", "y~float(0,1)"];
    const study = (name, trials, ...outs) => ["run", "--db", "outputs.db", "--name", name, ...where, ...outs.flatMap((o) => ["--output", o]),
        "-n", trials, "-q", "--", truth, "{x}", "{y}", "{seed}"];
    locbo(...study("bounded", FEW ? 15 : 30, "loss~minimize", "memory<=230", "accuracy>=0.6", "epochs~record"));
    locbo(...study("three", FEW ? 12 : 20, "loss~minimize", "latency~minimize", "accuracy~maximize", "memory<=420", "epochs~record"));
    locbo("create", "--db", "outputs.db", "--name", "empty", ...where, "--output", "loss~minimize", "--output", "speed~maximize",
        "--output", "memory<=1");
    const long = script("long", `#!/bin/sh\necho "${LONG}=$1"\necho "${LONG}_2=$2"\necho "${LONG}_3=$1"\n`);
    locbo("run", "--db", "outputs.db", "--name", "long", ...where, "--output", `${LONG}~minimize`, "--output", `${LONG}_2~maximize`,
        "--output", `${LONG}_3<=0.5`, "-n", 8, "-q", "--", long, "{x}", "{y}");
    return start(locboPath, ...study("running", 40, "loss~minimize", "latency~minimize", "memory<=420"), "0.5");
}

await run(async () => {
    const worker = makeStudies();
    await launch();
    const server = await serve("outputs.db");
    await live(server.url);
    await navigation(server.url);
    await pareto(server.url);
    await outputs(server.url);
    await extremes(server.url);
    await named(server.url);
    await hostile(server.url);
    await everyView(server.url, FEW ? ["three"] : ["cooler", "three"], WITH_FRONT);
    if (!FEW) await everyView(server.url, ["bounded"]);
    check(await worker.ended === 0, "the worker was disturbed:", worker.words);
    await stop(server.child);
    await reports();
    await closeBrowser();
});
