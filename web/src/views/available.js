// available.js - which answers of the model can be had: all from a server, some from a report, which contains each pair of
// parameters in one order only.

export const hasSlice = (source, parameter, at) => source.has("slice", { parameter, at });
export const getSlice = (ask, parameter, at, points) => ask("slice", { parameter, at, points });

const hasContour = (source, x, y, at) => x !== y
    && (source.has("contour", { x, y, at }) || source.has("contour", { x: y, y: x, at }));

const COLUMNS = ["mean", "sd_f", "threshold", "acquisition", "success"];

/** The same map with its axes exchanged. */
function transposed(answer) {
    if (answer.nothing) return answer;
    const across = answer.x.grid.length, up = answer.y.grid.length;
    const turn = (list) => list.map((_, k) => list[(k % up) * across + Math.floor(k / up)]);
    return { ...answer, x: answer.y, y: answer.x, ...Object.fromEntries(COLUMNS.map((name) => [name, turn(answer[name])])) };
}

export async function getContour(source, ask, [x, y], at) {
    if (source.has("contour", { x, y, at })) return ask("contour", { x, y, at });
    return transposed(await ask("contour", { x: y, y: x, at }));
}

/** All pairs of names, [across, up], that can be had. */
export const pairsOf = (source, parameters, at) => {
    const names = parameters.map(({ name }) => name);
    return names.flatMap((x) => names.map((y) => [x, y])).filter(([x, y]) => hasContour(source, x, y, at));
};
