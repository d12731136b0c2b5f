/* identity.h - who this process is to other workers, whether one of them is dead, and who runs it.
 * "HOST:PID:START:SPACE": the process by number and start time, and the kernel and name space in which that number
 * means something. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include "status.h"

enum { IDENTITY_TEXT = 160 };

locbo_status identity_make(char text[IDENTITY_TEXT], locbo_error *error);
/* 1 only if the worker ran in this very name space of this kernel and its process is gone. */
int identity_is_dead(const char *worker);

/* "WHO@HOST", for people to read: who changed a study. */
void identity_at_host(const char *who, char text[IDENTITY_TEXT]);
/* The same for the user who runs this program: by $USER, $LOGNAME, the system's list of users, or as "uid-1000". */
void identity_user(char text[IDENTITY_TEXT]);

#endif
