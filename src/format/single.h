/* single.h - the program works with studies of one output; those of several are for programs in C (study.h). */
#ifndef SINGLE_H
#define SINGLE_H

#include <locbo/study.h>

/* LOCBO_ERR_STATE, in words, if the study has several outputs. */
locbo_status single_check(locbo_study *study, locbo_error *error);

#endif
