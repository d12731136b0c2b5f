/* study_json.h - what `locbo export` wrote, read back: a whole study, fact by fact. */
#ifndef STUDY_JSON_H
#define STUDY_JSON_H

#include <locbo/study.h>

#include "change_json.h"
#include "study_file.h"

typedef struct study_json {
    study_file file;     /* name, parameters, outputs, options, command, plan: as in a study file */
    size_t width, first; /* how many outputs there are, which is the first objective */
    size_t record_count, fit_count;
    locbo_record *records;
    locbo_fit *fits;
    struct json_t *root;             /* the texts of the records live here */
    double *numbers;                 /* points, thetas */
    locbo_measurement *measurements; /* rows of one for each output */
    locbo_belief *beliefs;           /* one for each output of each record */
    double *reference;               /* one for each output; NULL: none */
    uint64_t *sequence;
    double *told;
    char **pending;
    uint64_t *by; /* of results that were taken back: by which event */
    char **tags;  /* of each record */
    int altered;  /* version 4: what follows is from the file, otherwise empty */
    change_json changes;
    const char *note, *paused; /* of the study; NULL: none */
    char *study_tags;
    int cheaper;               /* version 5: curves and decisions */
    locbo_decision *decisions; /* one for each record; most are not used */
    size_t curve_count;
    locbo_curve *curves;
    locbo_step *steps; /* of all curves */
} study_json;

/* Errors are LOCBO_ERR_FORMAT and name the file and the location ("trials[3]: ..."). */
locbo_status study_json_read(const char *path, const char *text, size_t size, study_json *read, locbo_error *error);
void study_json_release(study_json *read);
/* For locbo_study_create_from; valid until it is released. */
locbo_contents study_json_contents(const study_json *read);
/* A list of texts as words with one space between them, in place of *text. 0: it is no such list, or (*text is NULL)
 * there is no memory. */
int study_json_tags(const struct json_t *list, char **text);

#endif
