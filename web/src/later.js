// later.js - what takes its time is shown when it comes; the rest of a view does not wait for it.

/** later(fail)(task): runs task(), or, while one runs, keeps the newest for afterwards; what goes wrong goes to fail(error). */
export function later(fail) {
    let running = false, next = null;
    async function run(task) {
        running = true;
        await task().catch(fail);
        running = false;
        if (!next) return;
        const after = next;
        next = null;
        run(after);
    }
    return (task) => {
        if (running) next = task;
        else run(task);
    };
}
