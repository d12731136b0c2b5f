// hover.js - a tooltip for a plot: the row nearest to the pointer along the horizontal axis.
import { hideTip, showTip } from "./tip.js";

/** The row whose position on the axis is nearest to a pixel. */
export const nearest = (rows, position, pixel) => rows.reduce((best, row) => (
    Math.abs(position(row) - pixel) < Math.abs(position(best) - pixel) ? row : best), rows[0]);

/** box {x, y, width, height}: of the plot; position(row): its pixel; lines(row): the tooltip. */
export function hover(g, { box, rows, position, lines }) {
    const hair = g.append("line").attr("class", "hair").attr("visibility", "hidden")
        .attr("y1", box.y).attr("y2", box.y + box.height);
    g.append("rect").attr("class", "sense")
        .attr("x", box.x).attr("y", box.y).attr("width", box.width).attr("height", box.height)
        .on("pointerenter pointermove", (event) => {
            const pixel = box.x + event.clientX - event.currentTarget.getBoundingClientRect().left;
            const row = nearest(rows, position, pixel);
            hair.attr("x1", position(row)).attr("x2", position(row)).attr("visibility", "visible");
            showTip(event, lines(row));
        })
        .on("pointerleave", () => {
            hair.attr("visibility", "hidden");
            hideTip();
        });
}
