// browser_spaces.mjs - the dashboard of a study with steps, ordered and bool parameters, conditions and known constraints, in
// Debian's Chromium with the real server. Every console message is a failure. With SHOTS=DIR a screenshot of every view is
// saved.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, folder, locbo, run, script, serve, stop } from "./harness.mjs";
import { closeBrowser, downloads, everyView, finish, go, hash, launch, open, textOf, VIEWS } from "./pages.mjs";

const STUDY = "kernels";

const answer = (page, view, query) => page.evaluate((at) => fetch(at).then((a) => a.json()), `api/${view}?study=${STUDY}&${query}`);
const texts = (page, selector) => page.locator(selector).allTextContents();
const chooser = (page, label) => page.locator(`label.chooser:has(span:text-is("${label}")) select`).first();

// ---- what the study is

async function definition(page) {
    await go(page, STUDY, "overview");
    await page.locator("summary:has-text(\"Definition\")").first().click();
    const all = await textOf(page, "main");
    for (const words of ["Active when", "kernel is poly or rbf", "in steps of 0.05", "small, medium, large", "false, true", "a + b <= 1"])
        check(all.includes(words), "the definition does not say", words);
    console.log("the definition: steps, orders, conditions, constraints");
}

// ---- parameters that are not active

async function tables(page) {
    await go(page, STUDY, "trials", "?sort=param:degree&order=asc");
    const head = await texts(page, "table.grid th"), column = head.findIndex((t) => t.includes("degree")) + 1;
    const cells = await texts(page, `table.grid tbody td:nth-child(${column})`);
    const first = cells.indexOf("not active");
    check(first > 0 && cells.slice(first).every((c) => c === "not active"), "values and those that lack them:", cells.join(" "));
    check((await texts(page, "table.grid tbody td")).includes("true"), "no bool is shown as a word");
    await page.locator("table.grid tbody tr a").last().click();
    await page.waitForSelector("h1:has-text(\"Trial \")");
    check((await texts(page, "table.params td")).includes("not active"), "a trial does not say what is not active");
    console.log("tables: not active, last in every order; bools as words");
}

async function parameters(page) {
    await go(page, STUDY, "parameters", "?show=kernel,degree,a,flag");
    const { columns } = await answer(page, "parameters", "");
    const active = columns.params.degree.filter((v) => v !== null).length;
    check((await texts(page, "text.slot")).includes("not active"), "no place for what is not active");
    const spots = await page.evaluate(() => [...document.querySelectorAll("section.chart:last-of-type svg > g")]
        .map((plot) => plot.querySelectorAll("path.spot").length).filter(Boolean));
    check(spots.includes(active) && spots.includes(columns.trial.length), "the plots have", spots.join(), "dots, active are", active);
    const bad = await page.evaluate(() => [...document.querySelectorAll("svg [d], svg [transform]")]
        .filter((e) => /NaN|undefined/.test(`${e.getAttribute("d")}${e.getAttribute("transform")}`)).length);
    check(bad === 0, bad, "shapes are nowhere");
    const csv = await downloads(page, "CSV");
    check(/,,/.test(csv) && csv.includes("true"), "the CSV:", csv.slice(0, 200));
    console.log("parallel coordinates and pairs: a place for what is not active");
}

// ---- slices and maps

async function model(page) {
    await go(page, STUDY, "model");
    const { recommended } = await answer(page, "choices", "");
    const other = recommended.params.kernel === "poly" ? "gamma" : "degree";
    const slice = await answer(page, "slice", `parameter=${other}`);
    if (recommended.params[other] === null)
        check(slice.at.instead === "recommended" && slice.at.params[other] !== null
            && (await textOf(page, "section.chart .note")).includes(`${other} is not active there`), "the slice of", other, "is somewhere else");
    const { grid } = await answer(page, "slice", "parameter=a");
    check(grid.length === 21 && grid[3] === 0.15, "the grid of steps is", grid.join());
    await chooser(page, "across").selectOption("a");
    await chooser(page, "up").selectOption("b");
    await page.waitForSelector("svg[aria-label=\"mean of f over a and b\"]");
    const map = await answer(page, "contour", "x=a&y=b"), beyond = map.mean.filter((v) => v === null).length;
    check(beyond > 0.3 * map.mean.length && beyond < 0.6 * map.mean.length, beyond, "of", map.mean.length, "cells are not allowed");
    const cells = await page.locator("svg[aria-label=\"mean of f over a and b\"] g[clip-path] rect:not(.sense)").count();
    check(cells === map.mean.length - beyond, cells, "cells are drawn");
    console.log("slices through points where the parameter is active, maps of what is allowed");
}

async function report() {
    locbo("report", "--db", "spaces.db", "-o", "report.html");
    const page = await open(pathToFileURL(join(folder, "report.html")).href);
    await page.waitForSelector("nav.views a");
    for (const view of VIEWS) await go(page, STUDY, view);
    await finish(page);
    console.log("the report");
}

// ---- the study

const TRUTH = `#!/bin/sh
awk -v k="$1" -v d="$2" -v g="$3" -v a="$4" -v b="$5" -v s="$6" 'BEGIN {
    srand(s); v = (a - 0.5)^2 + (b - 0.4)^2 + 0.02 * (rand() - 0.5)
    if (k == "poly") v += 0.1 * (d - 3)^2; else if (k == "rbf") v += 0.05 + (log(g) + 2)^2 / 20; else v += 0.3
    print v
}'
`;

run(async () => {
    const truth = script("truth.sh", TRUTH);
    locbo("run", "--db", "spaces.db", "--name", STUDY, "-q", "-n", 24, "--seed", 5,
        "-p", "kernel~cat(linear,poly,rbf)", "-p", "degree~int(2,5) when kernel=poly",
        "-p", "gamma~log(1e-3,10) when kernel in (poly,rbf)", "-p", "a~float(0,1,0.05)", "-p", "b~float(0,1)",
        "-p", "flag~bool", "-p", "size~ordered(small,medium,large)", "-p", "n~intlog(0,100)",
        "--constraint", "a + b <= 1", "--", truth, "{kernel}", "{degree:0}", "{gamma:1}", "{a}", "{b}", "{seed}");
    await launch();
    const server = await serve("sqlite:spaces.db");
    const page = await open(server.url + hash(STUDY, "overview"));
    for (const part of [definition, tables, parameters, model]) await part(page);
    await finish(page);
    await everyView(server.url, [STUDY]);
    await report();
    await closeBrowser();
    await stop(server.child);
});
