/* message.h - a message of one line on standard error. */
#ifndef MESSAGE_H
#define MESSAGE_H

/* "locbo: message", or with the name of a subcommand "locbo NAME: message"; control characters as '?'. Returns `code`.
 */
int message_print(const char *name, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
