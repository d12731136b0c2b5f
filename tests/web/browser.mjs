// browser.mjs - the dashboard in Debian's Chromium: the real server, real studies, one of them running meanwhile. Every
// console message is a failure. With SHOTS=DIR a screenshot of every view is saved, in both themes and three sizes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, folder, locbo, locboPath, run, script, serve, start, stop, until } from "./harness.mjs";
import {
    alike, closeBrowser, downloads, drawn, everyView, finish, go, hash, holds, launch, open, sideways, textOf, VIEWS,
} from "./pages.mjs";

const NASTY = ["<script>window.hacked = 1</script>", "<img src=x onerror=window.hacked=1>", "</script><script>window.hacked=1</script>",
    "\"'><svg onload=window.hacked=1>", "{{7*7}}${7*7}", "javascript:window.hacked=1"];
const CONTROLS = "first\rsecond\u001b[31m\u202eright to left";
const LONG = "a_name_of_a_parameter_that_is_as_long_as_some_are_in_practice";

// ---- a study that is running

async function liveStudy(url) {
    const page = await open(url + hash("running", "overview"));
    await drawn(page, "overview");
    await page.evaluate(() => { window.sameDocument = true; });
    const done = async () => Number(/(\d+) of 80/.exec(await textOf(page, "main"))?.[1] ?? 0);
    const first = await done();
    await until(async () => (await done()) > first + 1, "more results in the overview");
    await go(page, "running", "history");
    await page.locator("section.chart button:text-is(\"Table\")").click();
    const rows = () => page.locator("section.chart tbody tr").count();
    const before = await rows();
    await until(async () => (await rows()) > before, "more values in the history");
    check(await page.evaluate(() => window.sameDocument), "the page was loaded again");
    await finish(page);
    console.log("a running study: values appear without reload");
}

// ---- interaction

async function interaction(url) {
    const page = await open(url + hash("bread", "history"));
    await drawn(page, "history");
    const csv = await downloads(page, "CSV");
    check(csv.split("\n").length > 60 && csv.startsWith("trial,"), "the CSV is not that of 60 trials:", csv.slice(0, 80));
    const svg = await downloads(page, "SVG");
    check(svg.startsWith("<svg") && svg.includes("xmlns=") && !svg.includes("class=\""), "the SVG needs the page:", svg.slice(0, 200));
    await page.locator("section.chart button:text-is(\"Table\")").click();
    check(await page.locator("section.chart table tbody tr").count() >= 60, "the numbers as a table");

    await page.keyboard.press("6");
    await drawn(page, "trials");
    await page.locator("th button:text-is(\"Value\")").click();
    await page.waitForSelector("th[aria-sort=ascending]:has-text(\"Value\")");
    const values = await page.locator("table.grid tbody tr td:nth-child(3)").allInnerTexts();
    const numbers = values.filter((v) => v !== "–").map((v) => Number(v.replace("−", "-")));
    check(numbers.length > 10 && numbers.every((v, i) => i === 0 || numbers[i - 1] <= v), "not sorted by value:", numbers.join(" "));
    await page.locator("button:has-text(\"Next →\")").click();
    await page.waitForSelector("text=page 2 of");
    check(page.url().includes("page=2"), "the address does not say which page:", page.url());
    await page.locator("label:has-text(\"only misses\") input").check();
    await holds(page, () => [...document.querySelectorAll("table.grid tbody tr")].every((r) => r.innerText.includes("miss")));
    await page.locator("table.grid tbody tr a").first().click();
    await page.waitForSelector("h1:has-text(\"Trial \")");
    const number = Number((await textOf(page, "h1")).replace(/\D/g, ""));
    check(await page.locator("text=Believed when asked").count() === 1, "what was believed is not shown");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(`h1:text-is("Trial ${number + 1}")`);

    await page.keyboard.press("4");
    await drawn(page, "model");
    const pixel = () => page.evaluate(() => document.querySelectorAll("section.chart svg")[1].outerHTML);
    const mean = await pixel();
    await page.locator("main select").first().selectOption({ index: 1 });
    await holds(page, (old) => document.querySelectorAll("section.chart svg")[1]?.outerHTML !== old, mean);

    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.locator("header.top select").last().selectOption("dark");
    await until(() => page.evaluate(() => {
        const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
        return r + g + b < 200;
    }), "the dark theme");
    await finish(page);
    console.log("charts as CSV, SVG and table; sorting, paging, filters, one trial, the model's choosers, keys, themes");
}

async function brushing(url) {
    const page = await open(url + hash("bread", "parameters"));
    await drawn(page, "parameters");
    const { best } = await page.evaluate(() => fetch("api/overview?study=bread").then((answer) => answer.json()));
    check((await page.locator(".key").allTextContents()).includes(`best measurement, trial ${best.trial}`), "another trial is called the best");
    const axis = page.locator("section.chart svg .brush .overlay").first();
    const box = await axis.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 0.2 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 0.5 * box.height, { steps: 5 });
    await page.mouse.up();
    await holds(page, () => document.querySelectorAll(".trial-line.out").length > 0);
    check(await page.locator(".trial-line:not(.out)").count() > 0, "a brush leaves no trial");
    await finish(page);
    console.log("parallel coordinates: a range keeps some trials");
}

// ---- texts from objectives

async function hostile(url) {
    const page = await open(url + hash("<b>nasty</b>", "overview"));
    await drawn(page, "overview");
    for (const view of VIEWS) await go(page, "<b>nasty</b>", view);
    const table = await textOf(page, "main");
    check(table.includes("<script>window.hacked = 1</script>"), "the category is not shown as it is");
    await page.evaluate((to) => { location.hash = to; }, hash("<b>nasty</b>", "trial", "?number=1"));
    await page.waitForSelector("pre");
    const printed = await page.locator("pre").allInnerTexts();
    check(printed.join("\n").includes("</script><script>window.hacked=1</script>"), "the output is not shown as it is:", printed.join("\n"));
    check(/^first\nsecond␛\[31m⟨U\+202E⟩right to left$/m.test(printed.join("\n")), "control characters are not shown:", printed.join("\n"));
    check(await page.evaluate(() => window.hacked === undefined && document.querySelectorAll("main script, main img, main b").length === 0),
        "a text was interpreted");
    await finish(page);
    console.log("names, categories and outputs full of HTML: shown, never interpreted");
}

// ---- long names, values that differ only far behind the first digits, failures

async function extremes(url) {
    for (const size of ["wide", "phone"]) {
        const page = await open(url + hash("far", "overview"), { size });
        await drawn(page, "overview");
        for (const view of VIEWS) {
            await go(page, "far", view);
            check(await sideways(page) <= 0, "far", view, "scrolls sideways at", size);
            check((await alike(page)).length === 0, "far", view, "has ticks alike:", (await alike(page)).join(" | "));
        }
        const values = await page.locator("table.grid tbody tr td:nth-child(3)").allInnerTexts();
        check(new Set(values).size > 4, "values are not told apart:", values.join(" "));
        await go(page, "failing", "overview");
        await page.waitForSelector("text=/All 3 trials that have ended failed.*out of cheese/");
        await go(page, "failing", "history");
        await page.waitForSelector("text=There is no value yet");
        await finish(page);
    }
    console.log("long names, values far from 0, failures only: told apart, cut, said");
}

// ---- empty studies, errors, deleted studies

async function troubles(server) {
    const page = await open(server.url + hash("empty", "overview"), { expected: /ERR_CONNECTION|404|500|503|Failed to load/ });
    for (const view of VIEWS) await go(page, "empty", view);
    check(/no trial/i.test(await textOf(page, "main")), "an empty study does not say so");
    await page.evaluate(() => { location.hash = "#/nowhere/overview"; });
    await page.waitForSelector("text=This study does not exist");
    await page.evaluate(() => { location.hash = "#/doomed/overview"; });
    await drawn(page, "overview");
    locbo("delete", "--db", "all.db", "--name", "doomed", "--yes");
    await page.waitForSelector("text=This study does not exist", { timeout: 10000 });
    await holds(page, () => ![...document.querySelectorAll("header.top option")].some((o) => o.value === "doomed"));

    await page.evaluate(() => { location.hash = "#/bread/overview"; });
    await drawn(page, "overview");
    const port = new URL(server.url).port;
    check(await stop(server.child) === 0, "locbo serve did not end well:", server.child.words);
    await page.waitForSelector(".banner:not([hidden])", { timeout: 20000 });
    const again = start(locboPath, "serve", "--db", "all.db", "--port", port);
    await page.waitForSelector(".banner[hidden]", { state: "attached", timeout: 30000 });
    await finish(page);
    console.log("empty and deleted studies, a server that stops and restarts: reported");
    return again;
}

// ---- edits

async function edits() {
    const server = await serve("all.db", "--allow-edit");
    const page = await open(server.url + hash("reactor", "overview"));
    await drawn(page, "overview");
    await page.evaluate((to) => { location.href = to; }, server.address); // in a page that is open already
    await until(() => !page.url().includes("token"), "the token to leave the address");
    await go(page, "bread", "overview");
    page.on("dialog", (dialog) => dialog.accept("enough"));
    await page.locator("button:has-text(\"Stop\")").first().click();
    await until(() => JSON.parse(locbo("status", "--db", "all.db", "--name", "bread", "-f", "json")).stopped, "the study to be stopped");
    await page.waitForSelector("text=The study is stopped");
    await page.locator("button:has-text(\"Resume\")").first().click();
    await until(() => !JSON.parse(locbo("status", "--db", "all.db", "--name", "bread", "-f", "json")).stopped, "the study to be resumed");
    const waiting = () => JSON.parse(locbo("status", "--db", "all.db", "--name", "bread", "-f", "json")).states.WAITING;
    const enqueue = page.locator("button:has-text(\"Enqueue\")"), field = page.locator(".edits .fields input").first(), before = waiting();
    await enqueue.click();
    await page.waitForSelector("text=no parameter has a value");
    check(waiting() === before, "a trial was added without a value");
    await field.fill(await field.getAttribute("min"));
    await enqueue.click();
    await page.waitForSelector("text=It is trial");
    check(waiting() === before + 1 && await field.inputValue() === "", "the trial was not added, or its fields are not empty");
    await finish(page);
    const stranger = await open(server.url + hash("bread", "overview"));
    await drawn(stranger, "overview");
    check(await stranger.locator("button:has-text(\"Stop\")").count() === 0, "edits are offered without the token");
    await finish(stranger);
    await stop(server.child);
    console.log("edits: with the token, and only with it");
}

// ---- the report

async function reports() {
    for (const study of ["bread", "reactor", "<b>nasty</b>", "empty"]) {
        locbo("report", "--db", "all.db", "--name", study, "-o", "report.html");
        const page = await open(pathToFileURL(join(folder, "report.html")).href);
        await page.waitForSelector("nav.views a");
        for (const view of VIEWS) {
            await go(page, study, view);
            if (study === "bread" && view !== "trials") check(await page.locator("section.chart svg").count() > 0, "the report draws nothing:", view);
        }
        if (study !== "empty") {
            await page.locator("table.grid tbody tr a").first().click();
            await page.waitForSelector("h1:has-text(\"Trial \")");
        }
        check(await page.evaluate(() => window.hacked === undefined), "a text was interpreted");
        await finish(page);
    }
    console.log("reports: every view, from a file, without requests");
}

// ---- the studies

function makeStudies() {
    locbo("demo", "--db", "all.db");
    locbo("create", "--db", "all.db", "--name", "empty", "-p", "x~float(0,1)");
    locbo("create", "--db", "all.db", "--name", "doomed", "-p", "x~float(0,1)");
    const values = NASTY.map((v) => `"${v.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")}"`).join(",");
    writeFileSync("texts", [...NASTY, CONTROLS].join("\n") + "\n");
    const far = script("far", "#!/bin/sh\nawk -v x=\"$1\" -v y=\"$2\" 'BEGIN {printf \"%.12f\\n\", 1e6 + 1e-3 * ((x-0.3)^2 + y)}'\n");
    locbo("run", "--db", "all.db", "--name", "far", "-p", `${LONG}~float(0,1)`, "-p", `${LONG}_2~float(0,1)`, "-n", 14, "-q", "--",
        far, `{${LONG}}`, `{${LONG}_2}`);
    locbo("create", "--db", "all.db", "--name", "failing", "-p", "x~float(0,1)");
    for (let trial = 1; trial <= 3; trial++) {
        locbo("ask", "--db", "all.db", "--name", "failing");
        locbo("tell", "--db", "all.db", "--name", "failing", trial, "--failed", "--why", "out of cheese");
    }
    const shout = script("shout", "#!/bin/sh\ncat texts\nprintf '%s\\n' \"$1\" >&2\necho \"$2\"\n");
    locbo("run", "--db", "all.db", "--name", "<b>nasty</b>", "-p", `v~cat(${values})`, "-p", "x~float(1,2)", "-n", 12, "-q", "--", shout, "{v}", "{x}");
    const slow = script("slow", "#!/bin/sh\nsleep 0.4\nawk -v x=\"$1\" -v y=\"$2\" -v s=\"$3\" 'BEGIN {srand(s); print (x-1)^2 + y^2 + rand()}'\n");
    return start(locboPath, "run", "--db", "all.db", "--name", "running", "-p", "x~float(-5,5)", "-p", "y~float(-5,5)",
        "-n", 80, "-j", 2, "--", slow, "{x}", "{y}", "{seed}");
}

await run(async () => {
    const worker = makeStudies();
    await launch();
    const server = await serve("all.db");
    await liveStudy(server.url);
    await everyView(server.url, process.env.SANITIZE ? ["reactor"] : ["bread", "reactor", "alloy"]);
    await interaction(server.url);
    await brushing(server.url);
    await hostile(server.url);
    await extremes(server.url);
    check(await worker.ended === 0, "the worker was disturbed:", worker.words);
    check(JSON.parse(locbo("status", "--db", "all.db", "--name", "running", "-f", "json")).states.COMPLETE === 80, "not all trials are complete");
    const again = await troubles(server);
    await stop(again);
    await edits();
    await reports();
    await closeBrowser();
});
