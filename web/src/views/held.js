// held.js - what of the model can be asked: of a server anything, of a report what it holds, which is each pair of parameters in
// one order only.

export const hasSlice = (source, parameter, where) => source.has("slice", { parameter, at: where });
export const getSlice = (ask, parameter, where, points) => ask("slice", { parameter, at: where, points });

export const hasContour = (source, x, y, where) => x !== y
    && (source.has("contour", { x, y, at: where }) || source.has("contour", { x: y, y: x, at: where }));

const COLUMNS = ["mean", "sd_f", "threshold", "acquisition", "success"];

/** The same field with its axes exchanged. */
function turned(answer) {
    if (answer.nothing) return answer;
    const across = answer.x.grid.length, up = answer.y.grid.length;
    const turn = (list) => list.map((_, k) => list[(k % up) * across + Math.floor(k / up)]);
    return { ...answer, x: answer.y, y: answer.x, ...Object.fromEntries(COLUMNS.map((name) => [name, turn(answer[name])])) };
}

export async function getContour(source, ask, x, y, where) {
    if (source.has("contour", { x, y, at: where })) return ask("contour", { x, y, at: where });
    return turned(await ask("contour", { x: y, y: x, at: where }));
}

/** Two parameters to show: those wanted, if they can be had, otherwise the first two that can; null if there are none. */
export function pairOf(source, parameters, wanted, where) {
    const names = parameters.map(({ name }) => name);
    const fits = (x, y) => names.includes(x) && names.includes(y) && hasContour(source, x, y, where);
    if (fits(wanted.x, wanted.y)) return [wanted.x, wanted.y];
    const all = names.flatMap((x) => names.map((y) => [x, y])).filter(([x, y]) => fits(x, y));
    return all.find(([x]) => x === wanted.x) ?? all.find(([, y]) => y === wanted.y) ?? all[0] ?? null;
}
