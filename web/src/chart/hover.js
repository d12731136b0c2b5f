// hover.js - a tooltip for a plot: the row nearest to the pointer along the horizontal axis.
import { hideTip, showTip } from "./tip.js";

/** The row whose position on the axis is nearest to a pixel. */
export const nearest = (rows, place, pixel) => rows.reduce((best, row) => (
    Math.abs(place(row) - pixel) < Math.abs(place(best) - pixel) ? row : best), rows[0]);

/** box {x, y, width, height}: of the plot; place(row): its pixel; lines(row): the tooltip. */
export function hover(g, { box, rows, place, lines }) {
    const hair = g.append("line").attr("class", "hair").attr("visibility", "hidden")
        .attr("y1", box.y).attr("y2", box.y + box.height);
    g.append("rect").attr("class", "sense")
        .attr("x", box.x).attr("y", box.y).attr("width", box.width).attr("height", box.height)
        .on("pointerenter pointermove", (event) => {
            const pixel = box.x + event.clientX - event.currentTarget.getBoundingClientRect().left;
            const row = nearest(rows, place, pixel);
            hair.attr("x1", place(row)).attr("x2", place(row)).attr("visibility", "visible");
            showTip(event, lines(row));
        })
        .on("pointerleave", () => {
            hair.attr("visibility", "hidden");
            hideTip();
        });
}
