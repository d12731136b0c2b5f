// browser_many.mjs - the dashboard of a study with 20 000 results, 4000 of them judged, while a worker adds more: every view is
// drawn in SECONDS at most, also those of the model, new trials appear in each, and the page answers meanwhile. In Debian's
// Chromium with the real server; every console message is a failure. With SHOTS=DIR a screenshot of every view is saved.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, locbo, locboPath, run, script, serve, source, start, stop, until } from "./harness.mjs";
import { alike, closeBrowser, drawn, finish, hash, holds, launch, open, sideways, textOf, VIEWS } from "./pages.mjs";

const STUDY = "many", RESULTS = 20000, JUDGED = 4000, MORE = 5000;
const SECONDS = 30; // no benchmark: quiet machines need a tenth of it; a view that needs longer cannot be used
const DB = ["--db", "many.db", "--name", STUDY];

// ---- the study

function makeStudy() {
    const truth = script("truth.sh", "#!/bin/sh\nsleep 0.5\n"
        + "awk -v x=\"$1\" -v y=\"$2\" -v s=\"$3\" 'BEGIN {srand(s); print (x-1)^2 + (y+2)^2/4 + rand()/10}'\n");
    writeFileSync("one.csv", "x,y,mode,value\n0.5,0.5,a,1.86\n");
    const small = ["--db", "small.db"];
    locbo("create", ...small, "-p", "x~float(-5,5)", "-p", "y~float(-5,5)", "-p", "mode~cat(a,b)", "--seed", 7, "-n", 13, "--",
        truth, "{x}", "{y}", "{seed}");
    locbo("import", ...small, "one.csv");
    locbo("work", ...small, "-q");
    const grown = spawnSync("python3", ["-B", join(source, "tests/grown.py"), RESULTS, JUDGED],
        { input: locbo("export", ...small), encoding: "utf8", maxBuffer: 1e9 });
    check(grown.status === 0, "grown.py:", grown.stderr);
    writeFileSync("grown.json", grown.stdout);
    locbo("import", ...DB, "--study", "grown.json");
    locbo("alter", ...DB, "-n", RESULTS + MORE);
}

// ---- how long the page takes

let slowest = {};

/** Does it, and notes under `name` how long it took. */
async function within(name, action) {
    const began = performance.now();
    await action();
    const took = (performance.now() - began) / 1000;
    slowest[name] = Math.max(slowest[name] ?? 0, took);
    check(took <= SECONDS, name, "took", took.toFixed(1), "s");
}

const click = (page, view) => within(view, async () => {
    await page.locator(`nav.views a:text-is("${view[0].toUpperCase()}${view.slice(1)}")`).click();
    await drawn(page, view);
});

/** The page counts how long it did not come to run a timer. */
const watch = (page) => page.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    setInterval(() => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - last);
        last = now;
    }, 20);
});

const words = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f"); // as the page writes it
const complete = async (page) => Number(new RegExp(`([\\d\u202f]+) of ${words(RESULTS + MORE)}`)
    .exec(await textOf(page, "main"))?.[1].replace(/\D/g, "") ?? 0);
const newest = async (page) => Number((await page.locator("table.grid tbody tr td:first-child a").first().innerText()).replace(/\D/g, ""));

// ---- the views while a worker runs

async function look(page, view) {
    await click(page, view);
    check(await sideways(page) <= 0, view, "scrolls sideways");
    check((await alike(page)).length === 0, view, "has ticks alike:", (await alike(page)).join(" | "));
    if (view !== "trials") check(await page.locator("section.chart svg").count() > 0, view, "draws nothing");
    if (!process.env.SHOTS) return;
    mkdirSync(process.env.SHOTS, { recursive: true });
    await page.screenshot({ path: join(process.env.SHOTS, `${STUDY}-${view}.png`), fullPage: true });
}

/** What a user does in a view takes no longer than the view. */
async function use(page) {
    await click(page, "trials");
    await within("trials by value", async () => {
        await page.locator("th button:text-is(\"Value\")").click();
        await page.waitForSelector("th[aria-sort=ascending]:has-text(\"Value\")");
    });
    await within("last page of trials", async () => {
        await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trials", "?page=400"));
        await page.waitForSelector("text=page 400 of");
    });
    await within("trial", async () => {
        await page.locator("table.grid tbody tr a").first().click();
        await page.waitForSelector("h1:has-text(\"Trial \")");
    });
    await click(page, "history");
    await within("history as a table", async () => {
        await page.locator("section.chart button:text-is(\"Table\")").first().click();
        await page.waitForSelector("section.chart tbody tr");
    });
    await click(page, "model");
    const map = () => page.evaluate(() => document.querySelectorAll("section.chart svg")[1].outerHTML);
    const before = await map();
    await within("another quantity of the model", async () => {
        await page.locator("main select").first().selectOption({ index: 1 });
        await holds(page, (old) => document.querySelectorAll("section.chart svg")[1]?.outerHTML !== old, before);
    });
}

async function follow(page) {
    await click(page, "overview");
    const first = await complete(page);
    check(first >= RESULTS, "the overview counts", first, "results");
    await until(async () => (await complete(page)) > first, "more results in the overview", 60);
    await within("recommendation", () => until(async () => !(await textOf(page, "main")).includes("The model is being computed"),
        "the recommended point"));
    await click(page, "trials");
    const top = await newest(page);
    check(top > RESULTS, "the newest trial is", top);
    await until(async () => (await newest(page)) > top, "a newer trial in the table", 60);
}

await run(async () => {
    makeStudy();
    await launch();
    const server = await serve("many.db");
    const worker = start(locboPath, "work", ...DB, "-q");
    let page;
    await within("first view", async () => {
        page = await open(server.url + hash(STUDY, "overview"));
        await drawn(page, "overview");
    });
    await watch(page);
    await follow(page);
    for (let round = 0; round < 2; round++) for (const view of VIEWS) await look(page, view);
    await use(page);
    const longest = await page.evaluate(() => window.longest) / 1000;
    check(longest <= SECONDS / 2, "the page did not answer for", longest, "s");
    check(worker.exitCode === null, "the worker has ended:", worker.words);
    check(await stop(worker, "SIGUSR1") === 0, "the worker was disturbed:", worker.words); // what runs is finished
    const { COMPLETE } = JSON.parse(locbo("status", ...DB, "-f", "json")).states;
    await click(page, "overview");
    await until(async () => (await complete(page)) === COMPLETE, "all results in the overview");
    await finish(page);
    await closeBrowser();
    check(await stop(server.child) === 0, "locbo serve did not end well:", server.child.words);
    console.log(`${RESULTS} results and ${COMPLETE - RESULTS} more meanwhile; the page never stopped for more than ${longest.toFixed(2)} s; at most, in seconds:`);
    console.log(Object.entries(slowest).map(([name, took]) => `${name} ${took.toFixed(1)}`).join(", "));
});
