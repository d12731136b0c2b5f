#include "faults.h"
const fault_source *fault_disk(void) { return NULL; }
