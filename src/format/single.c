/* single.c - refuses studies of several outputs, of which the program would show one as if it were all. Layer: format.
 */
#include "single.h"

#include "status.h"

locbo_status single_check(locbo_study *study, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_study_definition(study, &d, error);
    size_t outputs = status == LOCBO_OK ? locbo_outputs_count(d.outputs) : 0;
    if (status != LOCBO_OK || outputs <= 1) return status;
    return status_fail(error, LOCBO_ERR_STATE,
                       "the study '%.60s' has %zu outputs: so far only programs in C work with such a study",
                       locbo_study_name(study), outputs);
}
