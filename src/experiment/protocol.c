/* protocol.c - random streams of a run, keyed by its seed, and its initial points. Layer: experiment, above src/base.
 * Cost: O(dim) for a point. */
#include "protocol.h"

#include <time.h>

/* Evaluation k draws its noise from stream STREAM_NOISE + k, and round t its weights from STREAM_ROUND + t. */
#define STREAM_ROUND ((uint64_t)1 << 32)
#define STREAM_STEP ((uint64_t)1 << 40) /* times the step */
enum { STREAM_INITIAL = 1, STREAM_NOISE = 1000 };

const double PROTOCOL_LINE_SECONDS = 60;

protocol_start protocol_begin(uint64_t seed, int corners) {
    protocol_start s = {.d = draw_open(seed, STREAM_INITIAL), .corners = corners};
    s.end = (int)draw_below(&s.d, 2); /* one corner for all points of a run */
    return s;
}

void protocol_initial(protocol_start *s, size_t dim, double *u) {
    for (size_t i = 0; i < dim; i++) {
        u[i] = draw_uniform(&s->d);
        if (s->corners) u[i] = s->end ? 0.6 + 0.4 * u[i] : 0.4 * u[i];
    }
}

draw protocol_noise(uint64_t seed, uint64_t evaluation) { return draw_open(seed, STREAM_NOISE + evaluation); }

draw protocol_step(uint64_t seed, uint64_t evaluation, uint64_t step) {
    return draw_open(seed, STREAM_STEP * step + STREAM_NOISE + evaluation);
}

draw protocol_round(uint64_t seed, uint64_t round) { return draw_open(seed, STREAM_ROUND + round); }

double protocol_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
