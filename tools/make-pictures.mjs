// make-pictures.mjs - the pictures of docs/images: the studies of `locbo demo` in Chromium, and a figure of `locbo plot`.
// Run: node tools/make-pictures.mjs   (after make, and tools/ensure-npm all)
import { join } from "node:path";
import { browse, locbo, run, serve, source, stop, until } from "../tests/web/harness.mjs";

const pictures = [
    // file, study, view, theme, height
    ["overview-light", "reactor", "overview", "light", 1010],
    ["calibration-light", "bread", "calibration", "light", 1090],
    ["model-dark", "reactor", "model", "dark", 980],
    ["parameters-dark", "reactor", "parameters", "dark", 900],
    ["pareto-light", "cooler", "pareto?range=front", "light", 768],
];

await run(async () => {
    locbo("demo", "--db", "demo.db");
    const images = join(source, "docs/images");
    const server = await serve("demo.db");
    const browser = await browse();
    for (const [file, study, view, theme, height] of pictures) {
        const context = await browser.newContext({ colorScheme: theme, viewport: { width: 1280, height } });
        const page = await context.newPage();
        await page.goto(`${server.url}#/${study}/${view}`);
        await until(() => page.evaluate(() => {
            const charts = [...document.querySelectorAll("section.chart")];
            return charts.length > 0 && charts.every((c) => c.hidden || c.querySelector(".picture svg"))
                && !document.querySelector("main").innerText.includes("being computed");
        }), `the charts of ${view}`);
        await page.screenshot({ path: join(images, `${file}.png`) });
        await context.close();
    }
    await browser.close();
    await stop(server.child);
    locbo("plot", "intervals", "--db", "demo.db", "--name", "bread", "-o", join(images, "plot-intervals.png"));
});
