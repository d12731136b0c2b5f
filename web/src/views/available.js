// available.js - which answers of the model can be had: all from a server, some from a report, which contains each pair of
// parameters in one order only.

/** output: its name in a request, null for the default one */
export const hasSlice = (source, parameter, at, output = null) => source.has("slice", { parameter, at, output });
export const getSlice = (ask, parameter, at, output, points) => ask("slice", { parameter, at, output, points });

const hasContour = (source, x, y, at, output) => x !== y
    && (source.has("contour", { x, y, at, output }) || source.has("contour", { x: y, y: x, at, output }));

const COLUMNS = ["mean", "sd_f", "threshold", "acquisition", "success", "feasible"];

/** The same map with its axes exchanged. */
function transposed(answer) {
    if (answer.nothing) return answer;
    const across = answer.x.grid.length, up = answer.y.grid.length;
    const turn = (list) => list.map((_, k) => list[(k % up) * across + Math.floor(k / up)]);
    return { ...answer, x: answer.y, y: answer.x,
        ...Object.fromEntries(COLUMNS.filter((name) => answer[name]).map((name) => [name, turn(answer[name])])) };
}

export async function getContour(source, ask, [x, y], at, output = null) {
    if (source.has("contour", { x, y, at, output })) return ask("contour", { x, y, at, output });
    return transposed(await ask("contour", { x: y, y: x, at, output }));
}

/** All pairs of names, [across, up], that can be had. */
export const pairsOf = (source, parameters, at, output = null) => {
    const names = parameters.map(({ name }) => name);
    return names.flatMap((x) => names.map((y) => [x, y])).filter(([x, y]) => hasContour(source, x, y, at, output));
};
