/* picture_radio.c - the radio problem explained: a map of a deployment, and the antennas' gain by
 * elevation for some tilts, with the elevations at which users are seen. Layer: experiment,
 * pictures. */
#include <math.h>

#include "canvas.h"
#include "pictures.h"

#define PI 3.14159265358979323846

/* As in radio.c; drones fly on the middle line of their corridor. */
static const double REACH = 120, HALF_SECTOR = 60, HALF_CORRIDOR = 5; /* m, degrees, m */
static const double GAIN_LOW = -35, GAIN_HIGH = 10;                   /* dB: what is drawn */
enum { SECTORS = RADIO_STATIONS / RADIO_SITES, CORRIDORS = 4, ARC = 24, CURVE = 181 };

/* ---- the map --------------------------------------------------------------------------------- */

static void site_of(const radio *r, int site, double centre[2]) {
    for (int k = 0; k < 2; k++) {
        centre[k] = 0;
        for (int s = 0; s < SECTORS; s++) centre[k] += r->station[SECTORS * site + s][k] / SECTORS;
    }
}

/* The area of a station's ground users: a sector around its boresight. */
static void add_sector(canvas *c, const radio *r, int b) {
    double centre[2];
    site_of(r, b / SECTORS, centre);
    figure_series like = {.name = b ? NULL : "sectors", .kind = FIGURE_POLYGON, .colour = FIGURE_GREEN};
    canvas_numbers line = canvas_series(c, like, ARC + 2, 0);
    for (size_t i = 0; i < line.n; i++) {
        double along = i ? (double)(i - 1) / ARC : 0, reach = i ? REACH : 0;
        double angle = (r->azimuth[b] + HALF_SECTOR * (2 * along - 1)) * PI / 180;
        line.x[i] = centre[0] + reach * cos(angle);
        line.y[i] = centre[1] + reach * sin(angle);
    }
}

static void add_corridor(canvas *c, const radio *r, int k) {
    int drones = RADIO_DRONES / CORRIDORS, from = RADIO_GROUND + k * drones;
    const double *a = r->user[from], *b = r->user[from + drones - 1];
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    double aside[2] = {-(b[1] - a[1]) / length, (b[0] - a[0]) / length};
    figure_series like = {.name = k ? NULL : "corridors", .kind = FIGURE_POLYGON, .colour = FIGURE_BLUE};
    canvas_numbers line = canvas_series(c, like, 4, 0);
    for (size_t i = 0; i < line.n; i++) {
        const double *end = i < 2 ? a : b, side = i == 0 || i == 3 ? 1 : -1;
        line.x[i] = end[0] + side * HALF_CORRIDOR * aside[0];
        line.y[i] = end[1] + side * HALF_CORRIDOR * aside[1];
    }
}

static void add_users(canvas *c, const radio *r, int from, int count, figure_series like) {
    like.kind = FIGURE_POINTS;
    canvas_numbers dots = canvas_series(c, like, (size_t)count, 0);
    for (size_t i = 0; i < dots.n; i++) {
        dots.x[i] = r->user[from + (int)i][0];
        dots.y[i] = r->user[from + (int)i][1];
    }
}

static void add_boresights(canvas *c, const radio *r) {
    figure_series like = {.name = "boresights", .kind = FIGURE_ARROWS, .colour = FIGURE_RED};
    canvas_numbers arrows = canvas_series(c, like, RADIO_STATIONS, 1);
    for (size_t b = 0; b < arrows.n; b++) {
        double angle = r->azimuth[b] * PI / 180;
        arrows.x[b] = r->station[b][0];
        arrows.y[b] = r->station[b][1];
        arrows.low[b] = r->station[b][0] + 0.35 * REACH * cos(angle);
        arrows.high[b] = r->station[b][1] + 0.35 * REACH * sin(angle);
    }
}

static void add_sites(canvas *c, const radio *r) {
    figure_series like = {.name = "sites, 25 m high", .kind = FIGURE_POINTS, .colour = FIGURE_RED, .mark = 3};
    canvas_numbers dots = canvas_series(c, like, RADIO_SITES, 0);
    for (size_t i = 0; i < dots.n; i++) {
        double centre[2];
        site_of(r, (int)i, centre);
        dots.x[i] = centre[0];
        dots.y[i] = centre[1];
    }
}

/* The automatic tics are too close on this narrow map. */
static void add_metres(canvas *c) {
    static const char *const name[] = {"-100", "0", "100", "200", "300"};
    double *at = canvas_tics(c, 5, name, 0);
    for (int i = 0; at && i < 5; i++) at[i] = 100 * (i - 1);
}

static void add_map(canvas *c, const radio *r) {
    figure_panel *panel = canvas_panel(c, "deployment");
    panel->x_label = "x (m)";
    panel->y_label = "y (m)";
    panel->equal_axes = 1;
    panel->x_low = panel->y_low = -140;
    panel->x_high = 310;
    panel->y_high = 340;
    panel->key = 1;
    add_metres(c);
    for (int b = 0; b < RADIO_STATIONS; b++) add_sector(c, r, b);
    for (int k = 0; k < CORRIDORS; k++) add_corridor(c, r, k);
    add_boresights(c, r);
    add_sites(c, r);
    add_users(c, r, 0, RADIO_GROUND, (figure_series){.name = "ground users, 1.5 m", .colour = FIGURE_BLACK, .mark = 1});
    add_users(c, r, RADIO_GROUND, RADIO_DRONES,
              (figure_series){.name = "drones, 150 m", .colour = FIGURE_BLUE, .mark = 4});
}

/* ---- gain by elevation ----------------------------------------------------------------------- */

/* The elevations at which the stations see these users, as an area over all gains. */
static void add_elevations(canvas *c, const radio *r, int from, int end, figure_series like) {
    double low = 90, high = -90;
    for (int b = 0; b < RADIO_STATIONS; b++)
        for (int k = from; k < end; k++) {
            low = fmin(low, r->elevation[b][k]);
            high = fmax(high, r->elevation[b][k]);
        }
    like.kind = FIGURE_FILL;
    canvas_numbers area = canvas_series(c, like, 2, 1);
    for (size_t i = 0; i < area.n; i++) {
        area.x[i] = i ? high : low;
        area.low[i] = GAIN_LOW;
        area.high[i] = GAIN_HIGH;
    }
}

static void add_pattern(canvas *c, double tilt, figure_colour colour, int dashed) {
    figure_series like = {
        .name = canvas_text(c, "tilt %g°", tilt), .kind = FIGURE_LINE, .colour = colour, .dashed = dashed};
    canvas_numbers line = canvas_series(c, like, CURVE, 0);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = (double)i - 90;
        line.y[i] = radio_antenna(line.x[i], tilt, 0);
    }
}

static void add_gains(canvas *c, const radio *r) {
    figure_panel *panel = canvas_panel(c, "antenna gain along the boresight");
    panel->x_label = "elevation (degrees)";
    panel->y_label = "gain (dB)";
    panel->x_low = -90;
    panel->x_high = 90;
    panel->y_low = GAIN_LOW;
    panel->y_high = GAIN_HIGH;
    panel->key = 1;
    add_elevations(c, r, 0, RADIO_GROUND, (figure_series){.name = "ground users seen", .colour = FIGURE_BLACK});
    add_elevations(c, r, RADIO_GROUND, RADIO_USERS, (figure_series){.name = "drones seen", .colour = FIGURE_BLUE});
    add_pattern(c, -10, FIGURE_GREEN, 0);
    add_pattern(c, 0, FIGURE_RED, 0);
    add_pattern(c, 30, FIGURE_PURPLE, 0);
}

locbo_status pictures_deployment(const char *dir, uint64_t deployment, unsigned files, locbo_error *error) {
    radio r;
    canvas c;
    radio_deploy(&r, &(radio_options){.deployment = deployment});
    canvas_init(&c);
    add_map(&c, &r);
    add_gains(&c, &r);
    locbo_status status = canvas_write(&c, dir, "deployment", files, error);
    canvas_release(&c);
    return status;
}
