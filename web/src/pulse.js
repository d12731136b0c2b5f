// pulse.js - keeps what is shown up to date: one update at a time, at most about one a second, none while the page is out of
// sight or paused, and again after a while if one failed.

const APART = 1000, AGAIN = 3000, HINT = 300;

/** on: {waiting(), done(), failed(error)}: waiting comes if the first update takes its time. */
export class Pulse {
    constructor(update, on) {
        Object.assign(this, { update, on, first: true, busy: false, due: false, urgent: false, paused: false, over: false });
        Object.assign(this, { last: -Infinity, timer: 0, seen: () => this.arrange() });
        document.addEventListener("visibilitychange", this.seen);
    }

    /** Something changed; `now` if the user did it and waits. */
    poke(now = false) {
        this.due = true;
        this.urgent ||= now;
        this.arrange();
    }

    arrange() {
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
        this.arrange();
    }

    /** Something went wrong: say so, and try again after a while. */
    retry(error) {
        this.on.failed(error);
        this.last = performance.now() + AGAIN - APART;
        this.poke();
    }

    pause(paused) {
        this.paused = paused;
        this.arrange();
    }

    close() {
        this.over = true;
        clearTimeout(this.timer);
        document.removeEventListener("visibilitychange", this.seen);
    }
}
