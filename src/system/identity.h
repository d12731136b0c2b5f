/* identity.h - who this process is to other workers, and whether one of them is dead. "HOST:PID:START:SPACE": the
 * process by number and start time, and the kernel and name space in which that number means something. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include "status.h"

enum { IDENTITY_TEXT = 160 };

locbo_status identity_make(char text[IDENTITY_TEXT], locbo_error *error);
/* 1 only if the worker ran in this very name space of this kernel and its process is gone. */
int identity_is_dead(const char *worker);

#endif
