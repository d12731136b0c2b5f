// router.js - addresses within the page: #/STUDY/VIEW?key=value. #/ alone is the list of studies.

const words = (params) => Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");

/** The hash of a view of a study. */
export function address(study, view, params = {}) {
    const query = words(params);
    return `#/${encodeURIComponent(study)}/${view}${query ? "?" + query : ""}`;
}

const decode = (text) => {
    try {
        return decodeURIComponent(text);
    } catch { // the address was cut in the middle of an escape
        return text;
    }
};

/** {study or null, view or null, params} of a hash. */
export function parse(hash) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const [study = "", view = ""] = path.split("/").map(decode);
    return { study: study || null, view: view || null, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Write other parameters into the present address, without a step in the browser's history. */
export function rewrite(study, view, params) {
    history.replaceState(null, "", address(study, view, params));
}

/** Call `moved({study, view, params})` now and whenever the address changes. */
export function listen(moved) {
    addEventListener("hashchange", () => moved(parse(location.hash)));
    moved(parse(location.hash));
}
