/* text.h - texts in UTF-8: their characters, their width on a screen, those that are not shown as themselves. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Whether a byte is inside a character, not its first. */
int text_continues(char byte);
/* Bytes of the character at `text`, which has `size` bytes, not 0; 0: there is none (no overlong forms, surrogates or
 * code points beyond U+10FFFF); more than `size`: it is cut off. In a text that is terminated `size` may be SIZE_MAX.
 */
size_t text_character(const char *text, size_t size);
/* Whether all of a terminated text is characters. */
int text_is_valid(const char *text);

/* The same as text_character for what is shown whatever it is: 1 to 4, never beyond `size`; a stray byte counts as one.
 */
size_t text_step(const char *text, size_t size);
/* Columns on a screen: code points, which is right for all but double-width and combining characters. */
size_t text_width(const char *text);
size_t text_width_of(const char *text, size_t size);
/* The code point of the character of `step` bytes. */
uint32_t text_code(const char *text, size_t step);
/* Whether the character of `step` bytes is not shown as itself: it controls a terminal, changes the direction or the
 * line of the text around it, or has no width. */
int text_is_control(const char *text, size_t step);
/* Control characters become '?', so that it is one line that does nothing but be shown. */
void text_clean(char *text);

#endif
