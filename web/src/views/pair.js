// pair.js - the two parameters of a map: two controls, remembered in the address.
import { chooser, nameOptions } from "./choosers.js";
import { pairsOf } from "./available.js";
import { isFree } from "../points.js";

/** The wanted pair if it is available, otherwise one with the same x or y, otherwise any; null if there is none. */
const best = (pairs, { x, y }) => pairs.find((p) => p[0] === x && p[1] === y) ?? pairs.find((p) => p[0] === x)
    ?? pairs.find((p) => p[1] === y) ?? pairs[0] ?? null;

/** pairChooser(context) -> {elements, choose(at, output): [across, up], or null if no map through that point is available} */
export function pairChooser({ source, definition, params, go }) {
    const parameters = definition.parameters.filter(isFree);
    const across = chooser("across", (name) => go({ x: name })), up = chooser("up", (name) => go({ y: name }));
    const elements = [across.element, up.element];
    return { elements, choose(at, output = null) {
        const pairs = pairsOf(source, parameters, at, output), pair = best(pairs, params);
        for (const element of elements) element.hidden = !pair;
        if (!pair) return null;
        const [x, y] = pair;
        across.set(nameOptions(parameters, (name) => pairs.some((p) => p[0] === name)), x);
        const others = parameters.filter(({ name }) => name !== x);
        up.set(nameOptions(others, (name) => pairs.some((p) => p[0] === x && p[1] === name)), y);
        return pair;
    } };
}
