// clip.js - a group whose drawing ends at the edges of the plot.

let made = 0;

export function clipped(svg, { x, y, width, height }) {
    const id = `clip-${++made}`;
    svg.append("clipPath").attr("id", id).append("rect").attr("x", x).attr("y", y)
        .attr("width", Math.max(0, width)).attr("height", Math.max(0, height));
    return svg.append("g").attr("clip-path", `url(#${id})`);
}
