// main.js - start of the page: the views in the order of the navigation, and the shell around them.
import { listen } from "./router.js";
import { Shell } from "./shell.js";
import { takeToken } from "./source.js";
import calibration from "./views/calibration.js";
import curves from "./views/curves.js";
import history from "./views/history.js";
import model from "./views/model.js";
import overview from "./views/overview.js";
import parameters from "./views/parameters.js";
import pareto from "./views/pareto.js";
import trial from "./views/trial.js";
import trials from "./views/trials.js";

const views = [overview, pareto, history, curves, calibration, model, parameters, trials];
const shell = new Shell(document.getElementById("app"), views, [trial]);
takeToken();
addEventListener("hashchange", takeToken); // before the router's listener
listen((to) => shell.show(to));
