// build.mjs DIR - the page as the program embeds it: DIR/index.html, app.js, app.css, icon.svg, and report.html, which contains
// script and style and allows nothing else to run.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
    console.error("usage: node build.mjs DIR");
    process.exit(2);
}
mkdirSync(out, { recursive: true });

const bundle = async (entry, name) => {
    const made = await build({
        entryPoints: [join(here, entry)], bundle: true, minify: true, format: "iife", target: "es2022",
        charset: "utf8", legalComments: "none", logLevel: "warning", write: false,
    });
    const text = made.outputFiles[0].text;
    writeFileSync(join(out, name), text);
    return text;
};
const script = await bundle("src/main.js", "app.js");
const style = await bundle("style/main.css", "app.css");
const page = readFileSync(join(here, "index.html"), "utf8");
const icon = readFileSync(join(here, "icon.svg"), "utf8");
writeFileSync(join(out, "index.html"), page);
writeFileSync(join(out, "icon.svg"), icon);

// The report: an inline script ends at the first "</script", also inside quotes.
const inline = (text, end) => text.replaceAll(`</${end}`, `<\\/${end}`);
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const code = inline(script, "script");
const css = inline(style, "style");
const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(css)}; img-src data: blob:; base-uri 'none'; `
    + `form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
const replace = (text, from, to) => {
    if (text.split(from).length !== 2) throw new Error(`index.html: "${from}" is not there exactly once`);
    return text.replace(from, () => to);
};
let report = replace(page, `<link rel="stylesheet" href="app.css">`, `<style>${css}</style>`);
report = replace(report, `<script src="app.js" defer></script>`, "");
report = replace(report, `<link rel="icon" href="icon.svg">`,
    `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(icon).toString("base64")}">`);
report = replace(report, `<meta charset="utf-8">`,
    `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
report = replace(report, `</body>`,
    `<script type="application/json" id="report-data">@REPORT_DATA@</script>\n<script>${code}</script>\n</body>`);
if (report.split("@REPORT_DATA@").length !== 2) throw new Error("index.html: the marker @REPORT_DATA@ is not there exactly once");
writeFileSync(join(out, "report.html"), report);
