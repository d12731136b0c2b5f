// pages.mjs - what the tests of the page share: a browser, pages whose console must stay empty, every view in both themes and
// three sizes.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, until } from "./harness.mjs";

export const VIEWS = ["overview", "history", "calibration", "model", "parameters", "trials"];
const CHARTS = { overview: 1, pareto: 2, history: 1, curves: 1, calibration: 4, model: 2, parameters: 3, trials: 0 }; // at least so many are drawn
const SIZES = { wide: [1440, 900], middle: [900, 700], phone: [375, 760] };

let browser;
export const launch = async () => { browser = await browse(); };
export const closeBrowser = () => browser.close();

/** A page whose console must stay empty, except what `expected` matches; prepare(page) is called before it is loaded. */
export async function open(url, { theme = "light", size = "wide", expected = null, prepare = () => {} } = {}) {
    const [width, height] = SIZES[size];
    const context = await browser.newContext({ colorScheme: theme, viewport: { width, height }, acceptDownloads: true });
    const page = await context.newPage();
    page.problems = [];
    const note = (words) => { if (!expected?.test(words)) page.problems.push(words); };
    page.on("console", (message) => note(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => note(error.message));
    page.on("request", (request) => {
        if (!/^(http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url())) note(`asked ${request.url()}`);
    });
    await prepare(page);
    await page.goto(url);
    return page;
}

export async function finish(page) {
    check(page.problems.length === 0, "the console says:", page.problems.join(" | "));
    await page.context().close();
}

/** Polled from outside: the page's policy forbids evaluating texts inside. */
export const holds = (page, condition, argument) => until(() => page.evaluate(condition, argument), String(condition));

export const hash = (study, view, query = "") => `#/${encodeURIComponent(study)}/${view}${query}`;

export async function go(page, study, view, query = "") {
    await page.evaluate((to) => { location.hash = to; }, hash(study, view, query));
    await drawn(page, view);
}

/** Axes with two ticks of the same text: there must be none. */
export const alike = (page) => page.evaluate(() => [...document.querySelectorAll("section.chart .axis")].flatMap((axis) => {
    const texts = [...axis.querySelectorAll(".tick text")].map((t) => t.textContent).filter(Boolean);
    return texts.length > new Set(texts).size ? [texts.join(" ")] : [];
}));

/** Waits for the view: its charts have pictures or say why not, and nothing is pending. */
export async function drawn(page, view) {
    await page.waitForSelector(`nav.views a[aria-current="page"]:text-is("${view[0].toUpperCase()}${view.slice(1)}")`);
    await holds(page, (least) => {
        const all = [...document.querySelectorAll("section.chart")];
        return !document.querySelector("main .unseen") && all.length >= least
            && all.every((c) => c.hidden || c.querySelector(".picture svg, .picture .empty, .picture table"));
    }, CHARTS[view] ?? 0);
}

export const textOf = (page, selector) => page.locator(selector).first().innerText();
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

// ---- every view of every study, in both themes and three sizes

/** `views`: the names of those that the studies have. */
export async function everyView(url, studies, views = VIEWS) {
    const shots = process.env.SHOTS;
    if (shots) mkdirSync(shots, { recursive: true });
    for (const theme of ["light", "dark"]) {
        for (const size of Object.keys(SIZES)) {
            const page = await open(url, { theme, size });
            await page.waitForSelector("main a");
            for (const study of studies) {
                for (const view of views) {
                    await go(page, study, view);
                    check(await sideways(page) <= 0, study, view, "scrolls sideways at", size, "by", await sideways(page));
                    if (view !== "trials") check(await page.locator("section.chart svg").count() > 0, study, view, "draws nothing");
                    check((await alike(page)).length === 0, study, view, "has ticks alike:", (await alike(page)).join(" | "));
                    if (shots) await page.screenshot({ path: join(shots, `${study}-${view}-${size}-${theme}.png`), fullPage: true });
                }
            }
            await finish(page);
        }
    }
    console.log(`${studies.length} studies, ${views.length} views, 2 themes, 3 sizes: drawn, silent, none wider than its window`);
}

/** What a button of the first chart downloads. */
export async function downloads(page, button) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(`section.chart button:text-is("${button}")`).first().click()]);
    return readFileSync(await file.path(), "utf8");
}
