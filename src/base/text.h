/* text.h - small things done to texts that people read. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* Columns on a screen: code points, which is right for all but double-width and combining characters. */
size_t text_width(const char *text);
size_t text_width_of(const char *text, size_t size);
/* Bytes of the character at `text`: 1 to 4, never beyond `size`; a stray byte counts as one. */
size_t text_step(const char *text, size_t size);
/* Bytes of the valid UTF-8 character at `text`, 0 if there is none: no overlong forms, no surrogates. */
size_t text_character(const char *text, size_t size);
/* Whether the character of `step` bytes controls a terminal instead of being shown. */
int text_is_control(const char *text, size_t step);
/* Control characters become '?', so that it is one line that does nothing but be shown. */
void text_clean(char *text);

#endif
