/* hopeless_reference.c - the rule of the risk, slow and obvious. */
#include "hopeless_reference.h"

#include <math.h>

int hopeless_reference(size_t count, size_t last, const double *table, const double *final, double tau,
                       double incumbent, size_t step, double value) {
    double scale = 0, spans = 0;
    if (step >= last || count < 10) return 0;
    for (size_t i = 0; i < count; i++) {
        double rest = final[i] - table[i * last + step - 1], low = final[i], high = final[i];
        for (size_t t = 0; t < last; t++) {
            if (table[i * last + t] < low) low = table[i * last + t];
            if (table[i * last + t] > high) high = table[i * last + t];
        }
        if (rest > scale) scale = rest;
        spans += (high - low) * (high - low);
    }
    double least = 0.05 * sqrt(spans / (double)count);
    if (scale < least) scale = least;
    return value + tau * scale < incumbent;
}
