// updater.js - keeps the view up to date: one update at a time, at most about one a second, none while the page is hidden
// or paused, and another try after a failure.

const APART = 1000, AGAIN = 3000, HINT = 300;

/** on: {waiting(), done(), failed(error)}: waiting is called if the first update takes longer than HINT ms. */
export class Updater {
    constructor(update, on) {
        Object.assign(this, { update, on, first: true, busy: false, due: false, urgent: false, paused: false, over: false });
        Object.assign(this, { last: -Infinity, timer: 0, onVisible: () => this.schedule() });
        document.addEventListener("visibilitychange", this.onVisible);
    }

    /** Something changed; `now`: the user did it and waits. */
    request(now = false) {
        this.due = true;
        this.urgent ||= now;
        this.schedule();
    }

    schedule() {
        if (!this.due || this.busy || this.over) return;
        if ((document.hidden || this.paused) && !this.first && !this.urgent) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.run(), this.urgent ? 0 : Math.max(0, this.last + APART - performance.now()));
    }

    async run() {
        if (this.busy || this.over) return;
        Object.assign(this, { busy: true, due: false, urgent: false, last: performance.now() });
        const hint = this.first ? setTimeout(() => !this.over && this.on.waiting(), HINT) : 0;
        let error = null;
        try {
            await this.update();
            this.first = false;
        } catch (problem) {
            error = problem;
        }
        clearTimeout(hint);
        this.busy = false;
        if (this.over) return;
        if (error) this.retry(error);
        else this.on.done();
        this.schedule();
    }

    /** Report an error, and try again after AGAIN ms. */
    retry(error) {
        this.on.failed(error);
        this.last = performance.now() + AGAIN - APART;
        this.request();
    }

    pause(paused) {
        this.paused = paused;
        this.schedule();
    }

    close() {
        this.over = true;
        clearTimeout(this.timer);
        document.removeEventListener("visibilitychange", this.onVisible);
    }
}
