// harness.mjs - what the tests and benchmarks of the page share: a temporary folder, the program, the server, the browser.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const source = resolve(here, "../..");
export const locboPath = join(resolve(process.env.BUILD ?? join(source, "build")), "locbo");
const { chromium } = createRequire(join(source, "web/"))("playwright-core");

export const folder = mkdtempSync(join(tmpdir(), "locbo-web-"));
process.chdir(folder);
const children = new Set();
const env = { ...process.env, LOCBO_DB: "" };

export function check(condition, ...words) {
    if (!condition) throw new Error(words.join(" "));
}

/** Run the program to its end; its standard output. */
export function locbo(...words) {
    const done = spawnSync(locboPath, words.map(String), { env, encoding: "utf8", timeout: 600000 });
    check(done.status === 0, "locbo", ...words, "ended with", done.status, done.stdout, done.stderr);
    return done.stdout;
}

/** Start a program in the background; its output is in `.words`. */
export function start(program, ...words) {
    const child = spawn(program, words.map(String), { env, stdio: ["ignore", "pipe", "pipe"] });
    child.words = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { child.words += data; });
    child.ended = new Promise((done) => child.on("exit", (code, signal) => {
        children.delete(child);
        done(code ?? signal);
    }));
    children.add(child);
    return child;
}

export async function until(condition, what, seconds = 30) {
    const end = Date.now() + 1000 * seconds;
    for (;;) {
        const value = await condition();
        if (value) return value;
        check(Date.now() < end, "timed out waiting for:", what);
        await new Promise((done) => setTimeout(done, 50));
    }
}

/** locbo serve, once it listens: {child, url}; `url` ends with a slash, `address` is what it printed. */
export async function serve(db, ...words) {
    const child = start(locboPath, "serve", "--db", db, "--port", 0, ...words);
    const address = await until(() => {
        check(child.exitCode === null, "locbo serve ended:", child.words);
        return /http:\/\/\S+/.exec(child.words)?.[0];
    }, "the address of locbo serve");
    return { child, address, url: address.replace(/#.*/, "") };
}

export async function stop(child, signal = "SIGTERM") {
    child.kill(signal);
    return child.ended;
}

export function script(name, text) {
    writeFileSync(name, text);
    chmodSync(name, 0o755);
    return "./" + name;
}

export const browse = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Run `main` and leave nothing behind. */
export async function run(main) {
    let code = 0;
    try {
        await main();
    } catch (error) {
        console.error("FAILED:", error.stack ?? error);
        code = 1;
    }
    for (const child of children) child.kill("SIGKILL");
    process.chdir("/");
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
}
