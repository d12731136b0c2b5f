// browser_mind.mjs - the dashboard of a study about which someone changes their mind: results taken back, notes and tags, pauses,
// alterations while the page is open, all forms, and the report, in Debian's Chromium with the real server. Every console
// message is a failure. With SHOTS=DIR a screenshot of every view is saved.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, folder, locbo, run, script, serve, stop, until } from "./harness.mjs";
import { closeBrowser, drawn, everyView, finish, go, hash, launch, open, textOf, VIEWS } from "./pages.mjs";

const STUDY = "pump", DB = ["--db", "mind.db", "--name", STUDY];
const SCRIPT = "<img src=x onerror=alert(1)>"; // stays a text everywhere

const api = (page, view, query = "") => page.evaluate((at) => fetch(at).then((a) => a.json()), `api/${view}?study=${STUDY}${query}`);
const texts = (page, selector) => page.locator(selector).allTextContents();
const form = (page, title) => page.locator(`form:has(h3:text-is("${title}"))`);
const says = (page, words, selector = "main") => until(async () => (await textOf(page, selector)).includes(words), words);

/** Fill in a form, send it with a button, and wait for its outcome. */
async function send(page, title, fields, button, outcome) {
    const one = form(page, title);
    for (const [label, value] of Object.entries(fields)) {
        const field = one.locator(`[aria-label="${label}"]`);
        if (await field.evaluate((e) => e.tagName === "SELECT")) await field.selectOption(value);
        else await field.fill(value);
    }
    await one.locator(`button:text-is("${button}")`).click();
    await until(async () => (await one.locator(".outcome").innerText()).includes(outcome), `${title}: ${outcome}`);
}

// ---- one trial

async function takeBack(page) {
    locbo("tell", ...DB, 12, 31.5); // a typo
    await go(page, STUDY, "trials");
    await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", "?number=12"));
    await says(page, "31.5");
    const { measurements } = await api(page, "trial", "&number=12");
    check(measurements.length === 2, "results:", measurements.length);
    await send(page, "Take back", { "Which result": String(measurements[1].sequence), Reason: `typo ${SCRIPT}` }, "Retract",
        "The result is taken back.");
    await says(page, "taken back by dashboard@");
    check((await texts(page, "tr.retracted del")).includes("31.5"), "the value is not struck through");
    check((await textOf(page, ".taken-back")).includes(SCRIPT), "why is not said");
    await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", "?number=5"));
    await says(page, "Trial 5", "h1");
    await send(page, "Take back", { Reason: "the wrong nozzle" }, "Retract", "The trial is retracted.");
    await says(page, "retracted", ".head");
    check(await form(page, "Take back").isHidden(), "a retracted trial can be retracted");
    await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", "?number=6"));
    await says(page, "Trial 6", "h1");
    await send(page, "Mark as failed", { As: "1", Reason: "no flow" }, "Mark", "It is infeasible now.");
    await says(page, "infeasible", ".head");
    console.log("a result, a whole trial taken back; a trial that failed after all");
}

async function notes(page) {
    for (const [trial, tags] of [[7, "noisy rerun"], [8, "noisy"]]) {
        await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", `?number=${trial}`));
        await says(page, `Trial ${trial}`, "h1");
        await send(page, "Note and tags", { Note: `seen ${SCRIPT}`, Tags: tags }, "Save", "Saved.");
        await until(() => page.locator("a.tag").count().then((n) => n === tags.split(" ").length), "the tags of a trial");
    }
    await page.locator("a.tag:text-is(\"noisy\")").click();
    await drawn(page, "trials");
    await until(async () => (await texts(page, "table.grid tbody tr td:first-child a")).join() === "8,7", "the trials of a tag");
    check((await texts(page, "td.tags .tag")).join() === "noisy,noisy,rerun", "tags of the table");
    check((await textOf(page, "table.grid")).includes(SCRIPT), "the note is not in the table");
    await page.locator("label:has-text(\"Tag\") select").selectOption("rerun");
    await until(async () => (await texts(page, "table.grid tbody tr td:first-child a")).join() === "7", "another tag");
    await go(page, STUDY, "trials", "?state=RETRACTED");
    await until(async () => (await texts(page, "table.grid tbody tr td:first-child a")).join() === "5", "retracted trials");
    console.log("notes and tags: shown, and trials filtered by them");
}

// ---- the study

async function pause(page) {
    await go(page, STUDY, "overview");
    await send(page, "Note and tags", { Note: "Rig 2.\nSecond line.", Tags: "winter" }, "Save", "Saved.");
    await says(page, "Second line.", ".noted");
    await send(page, "Pause, stop, resume", { Reason: "cleaning" }, "Pause", "The study is paused.");
    await says(page, "The study is paused: cleaning.");
    await page.evaluate(() => { location.hash = "#/"; });
    await until(async () => (await textOf(page, "main")).includes("paused"), "the list of studies");
    check((await texts(page, "table.grid .tag")).includes("winter"), "the tags of the study");
    await go(page, STUDY, "overview");
    await send(page, "Pause, stop, resume", {}, "Resume", "The study continues.");
    await until(async () => !(await textOf(page, "main")).includes("The study is paused:"), "the banner is gone");
    console.log("pauses: said here and in the list of studies");
}

/** The page is open meanwhile: its controls are those of the new definition. */
async function alter(page) {
    await go(page, STUDY, "overview");
    const range = { Parameter: "a", "Lowest value": "0", "Highest value": "0.7", Reason: "nothing good beyond" };
    await send(page, "Range of a parameter", range, "Try", "would lie outside");
    check((await api(page, "overview")).revision === 0, "trying has altered it");
    await send(page, "Range of a parameter", range, "Alter", "stay in the model");
    await says(page, "a: float(0,1) -> float(0,0.7)", "table.changes");
    await until(() => page.locator("svg .altered.flag").count().then((n) => n === 1), "the mark in the history");
    await send(page, "Completed trials wanted", { "Completed trials wanted": "40", Reason: "more" }, "Set", "40 completed trials wanted now.");
    await says(page, "-> 40", "table.changes");
    const { revision } = await api(page, "overview");
    await says(page, `since the alteration at event ${revision}`);
    await go(page, STUDY, "model");
    await page.waitForSelector("svg[aria-label*=\"along a, b, mode, k\"]");
    locbo("alter", ...DB, "--freeze", "k=0.5", "--retire", "mode=c");
    await page.waitForSelector("svg[aria-label$=\"along a, b, mode\"]", { timeout: 20000 });
    const names = await texts(page, "label.chooser:has(span:text-is(\"across\")) option");
    check(names.join() === "a,b,mode", "axes of the map:", names.join());
    await go(page, STUDY, "overview");
    await page.locator("summary:has-text(\"Definition\")").first().click();
    for (const words of ["frozen at 0.5", "c is retired", "0 … 0.7"]) await says(page, words);
    check((await texts(page, "form .fields label span")).join() === "a,b,mode", "fields of a point");
    const closed = await page.locator("form .fields option:disabled").evaluateAll((all) => all.map((o) => o.textContent).join());
    check(closed === "c", "categories that cannot be chosen:", closed);
    locbo("run", ...DB, "-q");
    await go(page, STUDY, "calibration");
    await says(page, "since the alteration at event");
    await says(page, "Of the whole study it is");
    console.log("alterations: in the list of changes, the history, the coverage, the definition and the axes, live");
}

async function rename(page) {
    await go(page, STUDY, "overview");
    await send(page, "Name of the study", { Name: `${STUDY} <2>` }, "Rename", "Renamed.").catch(() => {}); // the page moves on
    await until(async () => (await page.evaluate(() => decodeURIComponent(location.hash))).includes("<2>"), "the new address");
    await until(async () => (await texts(page, "table.changes td")).includes("renamed"), "the list of changes");
    locbo("rename", "--db", "mind.db", "--name", `${STUDY} <2>`, STUDY);
    await says(page, "This study does not exist");
    console.log("another name, here and elsewhere");
}

async function report() {
    locbo("report", ...DB, "-o", "report.html");
    const page = await open(pathToFileURL(join(folder, "report.html")).href);
    await page.waitForSelector("nav.views a");
    for (const view of VIEWS) await go(page, STUDY, view);
    await go(page, STUDY, "overview");
    await says(page, "nothing good beyond", "table.changes");
    check(await page.locator("form").count() === 0, "a report has forms");
    await go(page, STUDY, "trials", "?tag=noisy");
    check((await texts(page, "table.grid tbody tr td:first-child a")).join() === "8,7", "the tag of a report");
    await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", "?number=12"));
    await says(page, "taken back by dashboard@");
    await finish(page);
    console.log("the report: the same without forms");
}

// ---- the study

const TRUTH = `#!/bin/sh
awk -v a="$1" -v b="$2" -v m="$3" -v s="$4" 'BEGIN {
    srand(s); print (a - 0.4)^2 + (b - 4)^2 / 20 + (m == "c") * 0.3 + 0.1 * (rand() - 0.5)
}'
`;

run(async () => {
    const truth = script("truth.sh", TRUTH);
    locbo("run", ...DB, "-q", "-n", 24, "--seed", 5, "-p", "a~float(0,1)", "-p", "b~int(1,9)", "-p", "mode~cat(a,b,c)",
        "-p", "k~float(0,1)", "--", truth, "{a}", "{b}", "{mode}", "{seed}");
    locbo("create", "--db", "mind.db", "--name", "other", "-p", "x~float(0,1)");
    await launch();
    const server = await serve("sqlite:mind.db", "--allow-edit");
    const page = await open(server.address, { expected: /404/ });
    await page.waitForSelector("main a");
    for (const part of [takeBack, notes, pause, alter, rename]) await part(page);
    await finish(page);
    await everyView(server.url, [STUDY]);
    await shots(server.address);
    await report();
    await closeBrowser();
    await stop(server.child);
});

/** With the forms, and one trial, which everyView does not show. */
async function shots(address) {
    if (!process.env.SHOTS) return;
    for (const theme of ["light", "dark"])
        for (const size of ["wide", "middle", "phone"]) {
            const page = await open(address, { theme, size });
            await page.waitForSelector("main a");
            for (const [name, view, query] of [["forms", "overview", ""], ["trial", "trial", "?number=12"], ["tags", "trials", "?tag=noisy"]]) {
                await page.evaluate((to) => { location.hash = to; }, hash(STUDY, view, query));
                await page.waitForTimeout(1500);
                await page.screenshot({ path: join(process.env.SHOTS, `${STUDY}-${name}-${size}-${theme}.png`), fullPage: true });
            }
            await finish(page);
        }
}
