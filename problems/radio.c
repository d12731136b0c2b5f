/* radio.c - the network of eq:CUAV_objective_func: deployment, links, association, capacity and its
 * measurement. Path losses are those of 3GPP TR 38.901 (UMa, NLOS on the ground, LOS in the air).
 *
 * Azimuths are counted from the x axis towards the y axis, elevations upwards from the station.
 * A user is served by the station whose power it receives most strongly without small-scale fading,
 * at the point at hand; all others interfere. All powers are in mW.
 * Layer: problems. Cost: radio_capacity 0.15 ms; radio_measure 20 us, and 10 us for each draw. */
#include "radio.h"

#include <math.h>

#define PI 3.14159265358979323846
#define DEGREES (180 / PI)

#define SECTORS 3 /* of a site */
#define SECTOR_USERS 4
#define SECTOR_WIDTH 120.0 /* degrees */
#define NEAREST 10.0       /* of the ground users, metres from the site */
#define FARTHEST 120.0
#define MAST_ARM 1.0 /* a sector's antenna from the centre of its site, metres */
#define STATION_HEIGHT 25.0
#define GROUND_HEIGHT 1.5
#define DRONE_HEIGHT 150.0
#define CORRIDORS 4
#define CORRIDOR_DRONES 7
#define CARRIER 2.0 /* GHz */
#define NOISE 1e-10 /* mW: -100 dBm */
#define PEAK_GAIN 8.0
#define LEAST_GAIN (-30.0)
#define POWER_LOW 6.0
#define POWER_HIGH 46.0
#define TILT_LIMIT 90.0
#define GROUND_WEIGHT 0.7
#define SCRIPT_DRONES 200.0 /* what the published code divides the sum of the drones' rates by */

/* Purposes of the random streams, "plac" and "shad" in ASCII: other purposes share the seed. */
enum { STREAM_POSITIONS = 0x706c6163, STREAM_SHADOWS = 0x73686164 };

static const double site[RADIO_SITES][2] = {{0, 0}, {0, 200}, {171, 100}};
static const double boresight[SECTORS] = {90, 210, 330};
/* x from, x to, y from, y to */
static const double corridor[CORRIDORS][4] = {
    {-110, -100, -100, 300}, {-100, 270, 300, 310}, {270, 280, -100, 300}, {-100, 270, -110, -100}};

/* ---- deployment ---- */

static void set_position(double position[3], double x, double y, double height) {
    position[0] = x;
    position[1] = y;
    position[2] = height;
}

static void place_stations(radio *r) {
    for (int b = 0; b < RADIO_STATIONS; b++) {
        const double *centre = site[b / SECTORS];
        double angle = boresight[b % SECTORS];
        r->azimuth[b] = angle;
        set_position(r->station[b], centre[0] + MAST_ARM * cos(angle / DEGREES),
                     centre[1] + MAST_ARM * sin(angle / DEGREES), STATION_HEIGHT);
    }
}

/* Uniform over the area of each sector's annulus; users 4b .. 4b+3 stand in the sector of b. */
static void place_ground(radio *r, draw *d) {
    for (int k = 0; k < RADIO_GROUND; k++) {
        int b = k / SECTOR_USERS;
        double inner = NEAREST * NEAREST, outer = FARTHEST * FARTHEST;
        double radius = sqrt(inner + (outer - inner) * draw_uniform(d));
        double angle = r->azimuth[b] + SECTOR_WIDTH * (draw_uniform(d) - 0.5);
        const double *centre = site[b / SECTORS];
        set_position(r->user[k], centre[0] + radius * cos(angle / DEGREES), centre[1] + radius * sin(angle / DEGREES),
                     GROUND_HEIGHT);
    }
}

/* On the centre line of each corridor's long axis, evenly from end to end, ends included. */
static void place_drones(radio *r) {
    for (int k = 0; k < RADIO_DRONES; k++) {
        const double *c = corridor[k / CORRIDOR_DRONES];
        double along = (double)(k % CORRIDOR_DRONES) / (CORRIDOR_DRONES - 1);
        int is_wide = c[1] - c[0] > c[3] - c[2];
        double u = is_wide ? along : 0.5, v = is_wide ? 0.5 : along;
        set_position(r->user[RADIO_GROUND + k], c[0] + u * (c[1] - c[0]), c[2] + v * (c[3] - c[2]), DRONE_HEIGHT);
    }
}

/* dB; `distance` in three dimensions, metres. */
static double path_loss(int is_drone, double distance) {
    double carrier = 20 * log10(CARRIER);
    if (is_drone) return 28 + 22 * log10(distance) + carrier;
    return 13.54 + 39.08 * log10(distance) + carrier;
}

static void set_link(radio *r, int b, int k, double shadow) {
    double dx = r->user[k][0] - r->station[b][0], dy = r->user[k][1] - r->station[b][1];
    double dz = r->user[k][2] - r->station[b][2], across = hypot(dx, dy);
    r->loss[b][k] = path_loss(k >= RADIO_GROUND, hypot(across, dz)) + shadow;
    r->elevation[b][k] = atan2(dz, across) * DEGREES;
    r->offset[b][k] = remainder(atan2(dy, dx) * DEGREES - r->azimuth[b], 360);
}

void radio_deploy(radio *r, const radio_options *options) {
    draw positions = draw_open(options->deployment, STREAM_POSITIONS);
    draw shadows = draw_open(options->deployment, STREAM_SHADOWS);
    r->options = *options;
    place_stations(r);
    place_ground(r, &positions);
    place_drones(r);
    for (int b = 0; b < RADIO_STATIONS; b++)
        for (int k = 0; k < RADIO_USERS; k++) set_link(r, b, k, options->shadowing * draw_normal(&shadows));
}

/* ---- links at a point ---- */

double radio_antenna(double elevation, double tilt, double azimuth_offset) {
    double down = (elevation - tilt) / 10, aside = azimuth_offset / 65;
    return fmax(PEAK_GAIN - 12 * down * down - 12 * aside * aside, LEAST_GAIN);
}

/* Mean received powers of user k; returns its serving station. */
static int receive(const radio *r, const double *x, int k, double power[RADIO_STATIONS]) {
    int serving = 0;
    for (int b = 0; b < RADIO_STATIONS; b++) {
        double tilt = x[RADIO_STATIONS + b];
        double gain = radio_antenna(r->elevation[b][k], tilt, r->offset[b][k]);
        power[b] = pow(10, (x[b] + gain - r->loss[b][k]) / 10);
        if (power[b] > power[serving]) serving = b;
    }
    return serving;
}

static double rate(const double power[RADIO_STATIONS], int serving) {
    double against = NOISE;
    for (int b = 0; b < RADIO_STATIONS; b++)
        if (b != serving) against += power[b];
    return log1p(power[serving] / against) / log(2);
}

static int is_faded(const radio *r, int k) { return k < RADIO_GROUND || !r->options.as_script; }

/* What a rate of user k counts for in the capacity. */
static double weight(const radio *r, int k) {
    if (k < RADIO_GROUND) return GROUND_WEIGHT / RADIO_GROUND;
    return (1 - GROUND_WEIGHT) / (r->options.as_script ? SCRIPT_DRONES : RADIO_DRONES);
}

/* ---- capacity ---- */

static double mean_rate(const radio *r, const double *x, int k) {
    double power[RADIO_STATIONS];
    int serving = receive(r, x, k, power);
    if (!is_faded(r, k)) return rate(power, serving);
    double signal = power[serving];
    power[serving] = power[0];
    power[0] = signal;
    return radio_mean_rate(RADIO_STATIONS, power, NOISE);
}

double radio_capacity(const radio *r, const double *x) {
    double sum = 0;
    for (int k = 0; k < RADIO_USERS; k++) sum += weight(r, k) * mean_rate(r, x, k);
    return sum;
}

double radio_measure(const radio *r, const double *x, int n_ch, draw *d) {
    double power[RADIO_USERS][RADIO_STATIONS], faded[RADIO_STATIONS], sum = 0;
    int serving[RADIO_USERS];
    for (int k = 0; k < RADIO_USERS; k++) serving[k] = receive(r, x, k, power[k]);
    for (int i = 0; i < n_ch; i++)
        for (int k = 0; k < RADIO_USERS; k++) {
            for (int b = 0; b < RADIO_STATIONS; b++) {
                double h2 = draw_exponential(d); /* unfaded links draw too: streams stay paired */
                faded[b] = power[k][b] * (is_faded(r, k) ? h2 : 1);
            }
            sum += weight(r, k) * rate(faded, serving[k]);
        }
    return sum / n_ch;
}

static double value(const problem *self, const double *x) { return radio_capacity(self->data, x); }

void radio_problem(problem *p, const radio *r) {
    *p = (problem){.name = "radio", .dim = RADIO_DIM, .maximize = 1, .optimum = NAN, .value = value, .data = r};
    for (int b = 0; b < RADIO_STATIONS; b++) {
        p->low[b] = POWER_LOW;
        p->high[b] = POWER_HIGH;
        p->low[RADIO_STATIONS + b] = -TILT_LIMIT;
        p->high[RADIO_STATIONS + b] = TILT_LIMIT;
        p->best[b] = p->best[RADIO_STATIONS + b] = NAN;
    }
}
