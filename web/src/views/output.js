// output.js - which output of the study a view shows: a control, remembered in the address.
import { outputsOf } from "../goals.js";
import { chooser, option } from "./choosers.js";

/** What a view of a study without a table of outputs shows: its only value. */
const plain = ({ options }) => ({ name: "value", goal: options.direction, named: false, key: null });

/** outputChooser(context, list, held) -> {element, null if there is no choice, choose()}. choose() gives the output of the
 *  address or the first objective, with `named`: whether the study has a table of outputs, and `key`: its name in a
 *  request (null: the default one). `list`: the outputs offered; held(key): whether answers about it can be had. */
export function outputChooser({ definition, params, go }, list, held = () => true) {
    const first = outputsOf(definition).find(({ goal }) => goal === "minimize" || goal === "maximize");
    const keyOf = ({ name }) => (name === first?.name ? null : name);
    const choice = chooser("Output", (name) => go({ output: name === first.name ? null : name }));
    return { element: list.length > 1 ? choice.element : null, choose() {
        if (!first) return plain(definition);
        const usable = list.filter((o) => held(keyOf(o)));
        const chosen = usable.find(({ name }) => name === params.output) ?? first;
        choice.set(list.map((o) => option(o.name, o.name, usable.includes(o))), chosen.name);
        return { ...chosen, named: true, key: keyOf(chosen) };
    } };
}
