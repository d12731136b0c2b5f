// browser_curves.mjs - the dashboard of a study whose evaluations report steps: the view appears with the first step, curves grow
// live, those ended early are marked, the account is in words, one trial says why, and the report has the same; in Debian's
// Chromium with the real server. Every console message is a failure. With SHOTS=DIR a screenshot of every view is saved.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, folder, locbo, locboPath, run, serve, stop, until } from "./harness.mjs";
import { closeBrowser, downloads, drawn, everyView, finish, go, hash, launch, open, textOf, VIEWS } from "./pages.mjs";

const STUDY = "net & <b>", DB = "net.db";

/** What tests/web/training.c printed. */
function training(...words) {
    const done = spawnSync(join(dirname(locboPath), "tests/training"), [DB, STUDY, ...words.map(String)], { encoding: "utf8" });
    check(done.status === 0, "training", ...words, done.stderr);
    return done.stdout.trim();
}

const api = (page, view, query = "") => page.evaluate((at) => fetch(at).then((a) => a.json()),
    `api/${view}?study=${encodeURIComponent(STUDY)}${query}`);
const names = (page) => page.locator("nav.views a").allTextContents();
/** Of curves and their marks; those of the key belong to no trial. */
const paths = (page, selector) => page.locator(`svg path${selector}[data-trial]`).count();
const says = (page, words, selector = "main") => until(async () => (await textOf(page, selector)).includes(words), words);
const lineOf = (page, trial) => page.locator(`svg path.curve[data-trial="${trial}"]`).first().getAttribute("d");
const points = (d) => d.split(/[ML]/).length - 1;

async function firstStep(page) {
    await go(page, STUDY, "overview");
    check(!(await names(page)).includes("Curves"), "a view of no curves");
    await says(page, "0 of 0 evaluations were ended early");
    const trial = training("begin", 2);
    await until(async () => (await names(page)).includes("Curves"), "the view, with the first step");
    await go(page, STUDY, "curves");
    check(await paths(page, ".curve.running") === 1 && await paths(page, ".curve-mark.running") === 1, "the running one");
    check(points(await lineOf(page, trial)) === 2, "its points");
    training("report", trial, 3, 6, 1.5);
    await until(async () => points(await lineOf(page, trial)) === 6, "its next points");
    training("tell", trial, 1.4);
    await until(() => paths(page, ".curve.running").then((n) => n === 0), "it has ended");
    console.log("the view appears with the first step, and follows it");
}

async function ended(page) {
    training("play", 40);
    const trial = training("begin", 3);
    await until(() => paths(page, `.curve-mark.running[data-trial="${trial}"]`).then((n) => n === 1), "the one that runs");
    const before = await paths(page, ".curve-mark.ended"), { states } = await api(page, "overview");
    check(before > 3 && before === states.PRUNED, "crosses:", before, "ended:", states.PRUNED);
    check(training("report", trial, 4, 30, 50) === "ended", "a hopeless evaluation goes on");
    await until(() => paths(page, ".curve-mark.ended").then((n) => n === before + 1), "its cross");
    check(await paths(page, `.curve-mark.ended[data-trial="${trial}"]`) === 1, "the cross of another trial");
    const { ended: account, curves } = await api(page, "curves");
    check(await paths(page, ".curve-mark.kept") === curves.filter((c) => c.decision && !c.decision.ended).length, "those that were kept");
    await says(page, `${account.ended} of ${account.evaluations} evaluations were ended early, saving `, ".ended-line");
    const share = account.kept ? `estimated share of mistaken ends ${account.estimate.toFixed(2)} (from ${account.kept} kept to the end)`
        : "share of mistaken ends not known yet: none was kept to its end";
    await says(page, `${share}, target 0.05`, ".ended-line");
    console.log("those ended early and kept are marked, live, and counted");
    return trial;
}

async function choices(page) {
    const axis = page.locator("label.chooser:has(span:text-is(\"axes\")) select");
    const ticks = () => page.locator(".axis.x .tick text").allTextContents().then((all) => all.join());
    const linear = await ticks();
    await axis.selectOption("x");
    await until(async () => (await ticks()) !== linear, "a logarithmic axis");
    check(page.url().includes("axes=x"), "the address does not have it:", page.url());
    await axis.selectOption("xy");
    await page.locator("label.chooser:has(span:text-is(\"range\")) select").selectOption("ends");
    await until(() => page.url().includes("range=ends"), "the range in the address");
    const csv = (await downloads(page, "CSV")).trim().split("\n");
    const { curves } = await api(page, "curves");
    check(csv[0] === "trial,attempt,state,decision,step,value", csv[0]);
    check(csv.length === 1 + curves.reduce((n, c) => n + c.step.length, 0), "rows of the CSV file:", csv.length);
    await go(page, STUDY, "curves");
}

/** The pointer at the end of a curve: its trial is named, and a click opens it. */
async function pointing(page, trial) {
    await page.locator("section.chart .hit").scrollIntoViewIfNeeded();
    const box = await page.locator(`svg path.curve-mark[data-trial="${trial}"]`).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await until(async () => (await textOf(page, ".tip")).includes(`trial ${trial}`), "the tooltip");
    check((await textOf(page, ".tip")).includes("ended at step"), "the tooltip says nothing of its end");
    await page.mouse.down();
    await page.mouse.up();
    await says(page, `Trial ${trial}`, "h1");
    await says(page, "ended early", ".head");
    await says(page, "Ended early by the rule of a known risk at step");
    check(await paths(page, ".curve-mark.ended") === 1, "the cross on its own page");
    await go(page, STUDY, "trials", "?state=PRUNED");
    await until(async () => (await page.locator("table.grid tbody tr").count()) > 3, "the table of those ended early");
    check((await page.locator("table.grid tbody .state-word").allTextContents()).every((t) => t === "ended early"), "other states");
    await go(page, STUDY, "overview");
    await says(page, "evaluations were ended early");
    check(await page.locator(".legend a:text-is(\"ended early\")").count() === 1, "the count of states");
    console.log("a curve opens its trial, which says why it was ended");
}

async function report(trial) {
    locbo("report", "--db", DB, "-o", "net.html");
    const page = await open(pathToFileURL(join(folder, "net.html")).href);
    await drawn(page, "overview");
    await go(page, STUDY, "curves");
    check(await paths(page, `.curve-mark.ended[data-trial="${trial}"]`) === 1, "the report has no cross");
    await says(page, "evaluations were ended early", ".ended-line");
    await page.evaluate((to) => { location.hash = to; }, hash(STUDY, "trial", `?number=${trial}`));
    await says(page, "Ended early by the rule of a known risk");
    await finish(page);
    console.log("the report has the same");
}

run(async () => {
    training("create", "risk");
    const { child, url } = await serve(DB);
    await launch();
    const page = await open(url);
    await page.waitForSelector("nav.views a");
    await firstStep(page);
    const trial = await ended(page);
    await choices(page);
    await pointing(page, trial);
    await finish(page);
    await everyView(url, [STUDY], [...VIEWS, "curves"]);
    await report(trial);
    await closeBrowser();
    check(await stop(child) === 0, "the server ended with", child.exitCode, child.words);
});
