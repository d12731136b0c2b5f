// latest.js - slow tasks beside a view's update, which does not wait for them.

/** latestOnly(fail)(task): runs task(), or, while one runs, keeps the newest to run next; errors go to fail(error). */
export function latestOnly(fail) {
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
