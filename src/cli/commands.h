/* commands.h - the subcommands (one per cmd_*.c; the table `commands` is in main.c), and how to find one. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "args.h"

extern const command command_run, command_work;
extern const command command_create, command_ask, command_tell, command_beat, command_enqueue;
extern const command command_best, command_recommend, command_status, command_trials, command_show, command_predict;
extern const command command_import, command_export, command_stop, command_delete, command_pipe, command_experiment;
extern const command command_retract, command_fail, command_pause, command_resume, command_rename, command_copy;
extern const command command_alter, command_note, command_log;
extern const command command_options, command_completion, command_help;
extern const command command_plot;
extern const command command_serve;
extern const command command_report, command_demo;

/* The subcommand of that name, NULL if there is none. */
const command *command_find(const char *name);
/* "unknown subcommand", with the nearest; EXIT_USAGE. */
int command_unknown(const char *self, const char *name);
/* All subcommands by what they are for, on stdout. */
void command_overview(void);

#endif
