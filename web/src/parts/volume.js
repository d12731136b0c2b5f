// volume.js - the hypervolume of the measured front, in words.
import { count, number, plural } from "../format.js";

/** Since when the hypervolume has not grown. */
export const sinceWords = (since) => (since === 0 ? "The last completed trial improved it."
    : `Not improved for ${plural(since, "completed trial")}.`);

export const frontWords = ({ points, hypervolume }) => `${plural(points, "point")} on the measured front`
    + `${hypervolume === null ? "" : `, hypervolume ${number(hypervolume, 6)}`}.`;

/** The reference point: "loss 10, latency 3". */
export const referenceWords = (reference) => Object.entries(reference ?? {}).filter(([, v]) => v !== null)
    .map(([name, v]) => `${name} ${number(v, 5)}`).join(", ");

/** The note of the chart. */
export function volumeNote({ reference, since }) {
    const where = referenceWords(reference);
    return `The volume between the measured front and the reference point${where ? ` (${where})` : ""}, by the means of the `
        + `measurements; more is better. ${sinceWords(since)}`;
}

/** How many of the measured trials a picture leaves out. */
export const thinnedWords = ({ matching, shown }) => (shown < matching
    ? ` ${count(matching)} trials, ${count(shown)} shown; those of the front are among them.` : "");
