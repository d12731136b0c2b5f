/* json_text.h - JSON as text on one line, with the shortest numbers that read back exactly (jansson's own are %.17g).
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <jansson.h>

#include "buffer.h"

/* `brief`: doubles with 6 digits, for people. */
void json_text_write(buffer *b, const json_t *value, int brief);
/* Characters that a terminal does not show as themselves (text.h) are escaped. */
void json_text_string(buffer *b, const char *text, size_t size);

#endif
