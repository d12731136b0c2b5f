// dashboard.mjs - the first view of a study of 50 000 trials: the time until the overview is drawn, beside that of fetching the
// same answers with curl, and the server's memory over many views. Run: node bench/dashboard.mjs [TRIALS]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { browse, check, locbo, run, serve, stop } from "../tests/web/harness.mjs";

const trials = Number(process.argv[2] ?? 50000);
const rounds = 7;
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const memory = (child) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;

/** A study of imported results: a bowl with noise from a small generator of its own. */
function fill() {
    let state = 1;
    const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const rows = ["x,y,value"];
    for (let i = 0; i < trials; i++) {
        const x = 10 * draw() - 5, y = 10 * draw() - 5;
        rows.push([x, y, x * x + y * y + draw()].join(","));
    }
    writeFileSync("results.csv", rows.join("\n") + "\n");
    locbo("create", "--db", "big.db", "--name", "big", "-p", "x~float(-5,5)", "-p", "y~float(-5,5)");
    locbo("import", "--db", "big.db", "--name", "big", "results.csv");
}

/** From the address to the drawn chart, in milliseconds, and what was asked meanwhile. */
async function view(browser, url) {
    const page = await browser.newPage();
    const asked = [];
    page.on("request", (request) => { if (!request.url().includes("/api/events")) asked.push(request.url()); });
    const began = performance.now();
    await page.goto(`${url}#/big/overview`);
    await page.waitForSelector("section.chart svg circle, section.chart svg path");
    const took = performance.now() - began;
    await page.close();
    return { took, asked };
}

/** The same answers by curl, one process, one connection. */
function curl(addresses) {
    const began = performance.now();
    const done = spawnSync("curl", ["-sf", ...addresses.flatMap((a) => ["-o", "/dev/null", a])], { encoding: "utf8" });
    check(done.status === 0, "curl ended with", done.status, done.stderr);
    return performance.now() - began;
}

await run(async () => {
    fill();
    const began = performance.now();
    const server = await serve("big.db");
    const browser = await browse();
    const first = await view(browser, server.url); // cold: the server reads the whole study
    console.log(`${trials} trials; first view after the start of the server: ${first.took.toFixed(0)} ms `
        + `(server started and browser launched in ${(performance.now() - began - first.took).toFixed(0)} ms)`);
    const views = [], curls = [];
    const settled = memory(server.child);
    for (let i = 0; i < rounds; i++) {
        const { took, asked } = await view(browser, server.url);
        views.push(took);
        curls.push(curl(asked));
    }
    console.log(`later views, median of ${rounds}: ${median(views).toFixed(0)} ms; curl of the same answers: `
        + `${median(curls).toFixed(0)} ms; ratio ${(median(views) / median(curls)).toFixed(1)}`);
    for (let i = 0; i < 50; i++) curl(first.asked);
    for (let i = 0; i < 5; i++) await view(browser, server.url);
    console.log(`memory of the server: ${settled.toFixed(1)} MB after the first view, `
        + `${memory(server.child).toFixed(1)} MB after ${rounds + 55} more`);
    await browser.close();
    await stop(server.child);
});
