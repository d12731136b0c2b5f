/* assets.c - the page's files, made from web/ by web/build.mjs and tools/embed-bytes. Layer: web. */
#include "assets.h"

#include <string.h>

#include "assets.inc" /* static const asset assets[] */

const asset *asset_find(const char *path) {
    for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++)
        if (strcmp(assets[i].path, path) == 0) return &assets[i];
    return NULL;
}
