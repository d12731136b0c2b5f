/* radio.h - radio resource management in a cellular network that also serves drones (eq:CUAV_objective_func): 9 base
 * stations, their transmit powers and antenna tilts, the average capacity of 36 ground users and 28 drones. */
#ifndef RADIO_H
#define RADIO_H

#include "draw.h"
#include "problems.h"

enum { RADIO_SITES = 3, RADIO_STATIONS = 9, RADIO_GROUND = 36, RADIO_DRONES = 28, RADIO_USERS = 64, RADIO_DIM = 18 };

typedef struct radio_options {
    uint64_t deployment; /* seed of the users' positions and of the shadowing */
    double shadowing;    /* sd of the log-normal shadow fading of a link, dB; 0: none */
    int as_script;       /* the published code: drones unfaded, their rates' sum over 200 */
} radio_options;

/* A deployment. Points are {p_1 .. p_9 (dBm, 6 to 46), tilt_1 .. tilt_9 (degrees, -90 to 90)}. */
typedef struct radio {
    radio_options options;
    double station[RADIO_STATIONS][3];        /* x, y, height; metres */
    double azimuth[RADIO_STATIONS];           /* of the boresight, degrees */
    double user[RADIO_USERS][3];              /* ground users first */
    double loss[RADIO_STATIONS][RADIO_USERS]; /* path loss and shadowing, dB */
    double elevation[RADIO_STATIONS][RADIO_USERS],
        offset[RADIO_STATIONS][RADIO_USERS]; /* angles of the link, degrees */
} radio;

void radio_deploy(radio *r, const radio_options *options);
/* The problem: maximise the expected capacity of `r`, which must outlive it. The optimum is not known (NAN). */
void radio_problem(problem *p, const radio *r);

/* Antenna gain, dB. */
double radio_antenna(double elevation, double tilt, double azimuth_offset);
/* The expectation over the fading, exactly (quadrature, relative error below 1e-9). */
double radio_capacity(const radio *r, const double *x);
/* One observation: the mean over n_ch draws of all channels. What is drawn from `d` does not depend on x. */
double radio_measure(const radio *r, const double *x, int n_ch, draw *d);
/* E log2(1 + S/(I + N)) with S ~ power[0], I the sum of the others, all exponential with these means. */
double radio_mean_rate(size_t count, const double *power, double noise);

#endif
