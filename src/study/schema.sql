-- schema.sql - the tables of a locbo database, for SQLite and PostgreSQL alike, in steps: a new database runs all of them,
-- an older one those that it lacks. The statements of a released step never change; a change is a new step. What the two
-- engines write differently stands under "step N, ENGINE". Times are seconds since 1970; NULL in a column of doubles is
-- NAN.

-- step 1: studies, trials, measurements, fits
CREATE TABLE locbo_study (
    id BIGINT PRIMARY KEY,                  -- never used twice
    name TEXT NOT NULL UNIQUE,
    created DOUBLE PRECISION NOT NULL,
    definition TEXT NOT NULL,               -- JSON: parameters, options, command
    plan TEXT NOT NULL,                     -- JSON: how it is run
    trials BIGINT NOT NULL DEFAULT 0,       -- number of the last trial
    events BIGINT NOT NULL DEFAULT 0,       -- results, failures and infeasible points so far: the last event number
    last_event DOUBLE PRECISION,
    stop_reason TEXT,                       -- not NULL: the study is stopped
    proposer TEXT,                          -- the worker that computes a proposal, and until when at most: avoids
    proposer_until DOUBLE PRECISION         -- double work, results do not depend on it
);
CREATE TABLE locbo_trial (
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'COMPLETE', 'FAILED', 'INFEASIBLE')),
    params TEXT NOT NULL,                   -- JSON object, by parameter name
    origin BIGINT NOT NULL,                 -- locbo_origin
    told BIGINT NOT NULL,                   -- number of results that the proposal was computed from
    pending TEXT NOT NULL,                  -- JSON list of the trials that were outstanding
    mean DOUBLE PRECISION,                  -- prediction at that time: locbo_belief
    sd_f DOUBLE PRECISION,
    sd_y DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    y_low DOUBLE PRECISION,
    y_high DOUBLE PRECISION,
    f_low DOUBLE PRECISION,
    f_high DOUBLE PRECISION,
    acquisition DOUBLE PRECISION,
    success DOUBLE PRECISION,
    attempt BIGINT NOT NULL DEFAULT 0,      -- how often it was handed out; reports of earlier attempts are recognised by it
    retries BIGINT NOT NULL DEFAULT 0,      -- number of retries with a new seed
    worker TEXT NOT NULL DEFAULT '',
    lease DOUBLE PRECISION,                 -- RUNNING: when it ends (NULL: never); WAITING: not handed out before
    asked DOUBLE PRECISION NOT NULL,
    started DOUBLE PRECISION,
    ended DOUBLE PRECISION,
    failure BIGINT,                         -- FAILED, INFEASIBLE, RETRACTED: event number
    message TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (study, number)
);
CREATE INDEX locbo_trial_by_state ON locbo_trial (study, state, number);
CREATE TABLE locbo_measurement (
    study BIGINT NOT NULL,
    event BIGINT NOT NULL,                  -- event number: the order told
    trial BIGINT NOT NULL,
    attempt BIGINT NOT NULL,                -- that reported it; 0: not known
    value DOUBLE PRECISION NOT NULL,
    sd DOUBLE PRECISION,
    n BIGINT NOT NULL,
    told DOUBLE PRECISION NOT NULL,         -- time
    token BIGINT NOT NULL,                  -- of the call: a repeated call is recognised by it
    PRIMARY KEY (study, event),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);
CREATE INDEX locbo_measurement_by_trial ON locbo_measurement (study, trial, event);
CREATE TABLE locbo_fit (
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE,
    fit BIGINT NOT NULL,                    -- 1, 2, 3 ...
    result_rows BIGINT NOT NULL,
    shift DOUBLE PRECISION NOT NULL,
    spread DOUBLE PRECISION NOT NULL,
    log_posterior DOUBLE PRECISION,
    theta TEXT NOT NULL,                    -- JSON list
    PRIMARY KEY (study, fit)
);

-- step 2: what each evaluation printed
CREATE TABLE locbo_output (
    study BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    exit_code BIGINT NOT NULL,              -- -N if signal N ended it
    seconds DOUBLE PRECISION NOT NULL,
    out BYTEA,
    err BYTEA,
    PRIMARY KEY (study, trial, attempt),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);

-- step 3: calls that can be repeated; lost attempts; the lengths of leases; the states PRUNED and RETRACTED; ids that
-- are not used twice even if the clock is set back
CREATE TABLE locbo_request (
    token BIGINT PRIMARY KEY,               -- of a call that writes: a repeated call is recognised by it
    study BIGINT NOT NULL,                  -- 0: none; not a reference, because it outlives the study
    call TEXT NOT NULL,
    answer TEXT NOT NULL,                   -- JSON list of the numbers that the call returned
    time DOUBLE PRECISION NOT NULL          -- kept for a week
);
CREATE INDEX locbo_request_by_time ON locbo_request (time);
ALTER TABLE locbo_schema ADD COLUMN last_study BIGINT NOT NULL DEFAULT 0; -- the largest id that a study has had
UPDATE locbo_schema SET last_study = (SELECT coalesce(max(id), 0) FROM locbo_study);

-- step 3, postgresql:
ALTER TABLE locbo_trial ADD COLUMN lost BIGINT NOT NULL DEFAULT 0;
ALTER TABLE locbo_trial ADD COLUMN lease_length DOUBLE PRECISION;
ALTER TABLE locbo_trial DROP CONSTRAINT locbo_trial_state_check;
ALTER TABLE locbo_trial ADD CONSTRAINT locbo_trial_state_check CHECK
    (state IN ('WAITING', 'RUNNING', 'COMPLETE', 'FAILED', 'INFEASIBLE', 'PRUNED', 'RETRACTED'));

-- step 3, sqlite: a CHECK cannot be changed, so the table is made anew
CREATE TABLE locbo_trial_new (
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    state TEXT NOT NULL CHECK
        (state IN ('WAITING', 'RUNNING', 'COMPLETE', 'FAILED', 'INFEASIBLE', 'PRUNED', 'RETRACTED')),
    params TEXT NOT NULL,
    origin BIGINT NOT NULL,
    told BIGINT NOT NULL,
    pending TEXT NOT NULL,
    mean DOUBLE PRECISION,
    sd_f DOUBLE PRECISION,
    sd_y DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    y_low DOUBLE PRECISION,
    y_high DOUBLE PRECISION,
    f_low DOUBLE PRECISION,
    f_high DOUBLE PRECISION,
    acquisition DOUBLE PRECISION,
    success DOUBLE PRECISION,
    attempt BIGINT NOT NULL DEFAULT 0,
    retries BIGINT NOT NULL DEFAULT 0,
    worker TEXT NOT NULL DEFAULT '',
    lease DOUBLE PRECISION,
    asked DOUBLE PRECISION NOT NULL,
    started DOUBLE PRECISION,
    ended DOUBLE PRECISION,
    failure BIGINT,
    message TEXT NOT NULL DEFAULT '',
    lost BIGINT NOT NULL DEFAULT 0,         -- attempts that were killed, or ended with their worker
    lease_length DOUBLE PRECISION,          -- seconds; `lease` lies further ahead only if the clock was set back;
                                            -- -1: it waits because its lease had ended, -2: it was made for who waited
    PRIMARY KEY (study, number)
);
INSERT INTO locbo_trial_new SELECT *, 0, NULL FROM locbo_trial;
DROP TABLE locbo_trial;
ALTER TABLE locbo_trial_new RENAME TO locbo_trial;
CREATE INDEX locbo_trial_by_state ON locbo_trial (study, state, number);

-- step 4: scales of the outputs other than the user's
ALTER TABLE locbo_trial ADD COLUMN scale TEXT; -- JSON list: power, offset, low, high, centre, unit_f, unit_y of the
                                               -- prediction (locbo_belief); NULL: the user's scale
ALTER TABLE locbo_fit ADD COLUMN choice TEXT;  -- JSON list: scale and candidates (src/base/fit_numbers.h); NULL: none

-- step 5: several outputs: a result has a row for each output that was measured
CREATE TABLE locbo_belief (                 -- what was believed of the modelled outputs after the first objective, whose
    study BIGINT NOT NULL,                  -- belief is in locbo_trial; no row: nothing
    trial BIGINT NOT NULL,
    output BIGINT NOT NULL,                 -- number in the table of outputs, from 0
    mean DOUBLE PRECISION,                  -- these and scale: as in locbo_trial
    sd_f DOUBLE PRECISION,
    sd_y DOUBLE PRECISION,
    threshold DOUBLE PRECISION,
    y_low DOUBLE PRECISION,
    y_high DOUBLE PRECISION,
    f_low DOUBLE PRECISION,
    f_high DOUBLE PRECISION,
    acquisition DOUBLE PRECISION,
    success DOUBLE PRECISION,
    scale TEXT,
    PRIMARY KEY (study, trial, output),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);
ALTER TABLE locbo_fit ADD COLUMN output BIGINT NOT NULL DEFAULT 0;
ALTER TABLE locbo_study ADD COLUMN reference TEXT; -- JSON list: the reference point of several objectives, a number for
                                                   -- each objective in the order of the table; inferred by the first
                                                   -- proposal of the model. NULL: none

-- step 5, postgresql:
ALTER TABLE locbo_measurement ADD COLUMN output BIGINT NOT NULL DEFAULT 0;
ALTER TABLE locbo_measurement DROP CONSTRAINT locbo_measurement_pkey;
ALTER TABLE locbo_measurement ADD PRIMARY KEY (study, event, output);
DROP INDEX locbo_measurement_by_trial;
CREATE INDEX locbo_measurement_by_trial ON locbo_measurement (study, trial, event, output);

-- step 5, sqlite: a primary key cannot be changed, so the table is made anew
CREATE TABLE locbo_measurement_new (
    study BIGINT NOT NULL,
    event BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    sd DOUBLE PRECISION,
    n BIGINT NOT NULL,
    told DOUBLE PRECISION NOT NULL,
    token BIGINT NOT NULL,
    output BIGINT NOT NULL DEFAULT 0,       -- number in the table of outputs; derived outputs have no rows
    PRIMARY KEY (study, event, output),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);
INSERT INTO locbo_measurement_new SELECT *, 0 FROM locbo_measurement;
DROP TABLE locbo_measurement;
ALTER TABLE locbo_measurement_new RENAME TO locbo_measurement;
CREATE INDEX locbo_measurement_by_trial ON locbo_measurement (study, trial, event, output);

-- step 6: what people change after the fact
CREATE TABLE locbo_change (
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE,
    event BIGINT NOT NULL,                  -- event number: changes, results and failures have one order
    time DOUBLE PRECISION NOT NULL,
    author TEXT NOT NULL,
    kind TEXT NOT NULL,                     -- locbo_change_name
    trial BIGINT,                           -- NULL: the study
    text TEXT NOT NULL,
    definition TEXT,                        -- JSON, as it was before; NULL: it is the same
    plan TEXT,                              -- likewise
    PRIMARY KEY (study, event)
);
ALTER TABLE locbo_study ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;   -- event of the last change of the definition
ALTER TABLE locbo_study ADD COLUMN retraction BIGINT NOT NULL DEFAULT 0; -- event by which a trial or result was last
                                                                         -- taken back
ALTER TABLE locbo_study ADD COLUMN paused TEXT;                          -- not NULL: the study is paused, and why
ALTER TABLE locbo_study ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE locbo_study ADD COLUMN tags TEXT NOT NULL DEFAULT '';        -- words, sorted, one space between them
ALTER TABLE locbo_trial ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE locbo_trial ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE locbo_trial ADD COLUMN outside BIGINT;                       -- not ended, and outside the space since this
                                                                         -- event: it is not handed out again
ALTER TABLE locbo_measurement ADD COLUMN retracted BIGINT;               -- event by which it was taken back

-- step 7: values that evaluations report while they run, and which of them were ended early
CREATE TABLE locbo_decision (               -- of a trial that could be ended early; it never changes
    study BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    rule BIGINT NOT NULL,                   -- locbo_prune
    attempt BIGINT NOT NULL,
    step BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,        -- at that step
    incumbent DOUBLE PRECISION,
    tau DOUBLE PRECISION,
    coin DOUBLE PRECISION,
    event BIGINT,                           -- event number; NULL: it was kept
    expected DOUBLE PRECISION,              -- the final value that complete curves let expect
    expected_sd DOUBLE PRECISION,
    PRIMARY KEY (study, trial),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);
CREATE INDEX locbo_decision_by_event ON locbo_decision (study, event);

-- step 7, postgresql:
CREATE TABLE locbo_step (
    study BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    step BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,        -- of the first objective
    PRIMARY KEY (study, trial, attempt, step),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
);

-- step 7, sqlite: the rows are their own index
CREATE TABLE locbo_step (
    study BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    step BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (study, trial, attempt, step),
    FOREIGN KEY (study, trial) REFERENCES locbo_trial (study, number) ON DELETE CASCADE
) WITHOUT ROWID;

-- step 8: what a status needs is kept where it changes, not counted
ALTER TABLE locbo_trial ADD COLUMN point BIGINT;   -- its number in locbo_point; NULL: it is not kept there
ALTER TABLE locbo_study ADD COLUMN results BIGINT; -- how many there are that were not taken back; NULL: the study was
                                                   -- created before this step, they are counted, and it has no points
ALTER TABLE locbo_study ADD COLUMN timed BIGINT;   -- trials that were handed out and ended after they were started; NULL
                                                   -- as `results`
ALTER TABLE locbo_study ADD COLUMN seconds DOUBLE PRECISION; -- what they took together

-- step 8, postgresql: few trials are not complete. The whole index was chosen to check the foreign keys of a table that
-- was small when a connection first used it, and then read from one end to the other for each row
DROP INDEX locbo_trial_by_state;
CREATE INDEX locbo_trial_by_state ON locbo_trial (study, state, number) WHERE state <> 'COMPLETE';
CREATE TABLE locbo_point (                  -- points with results that were not taken back, of the studies that
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE, -- src/study/points.h names
    point BIGINT NOT NULL,                  -- its number, made from its text in locbo_trial
    trial BIGINT NOT NULL,                  -- the first there
    event BIGINT NOT NULL,                  -- event number of the first result
    results BIGINT NOT NULL,
    weight BIGINT NOT NULL,                 -- sum of n of the results
    mean DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (study, point)
);
CREATE INDEX locbo_point_by_mean ON locbo_point (study, mean, event);

-- step 8, sqlite: the rows are their own index
CREATE TABLE locbo_point (
    study BIGINT NOT NULL REFERENCES locbo_study (id) ON DELETE CASCADE,
    point BIGINT NOT NULL,
    trial BIGINT NOT NULL,
    event BIGINT NOT NULL,
    results BIGINT NOT NULL,
    weight BIGINT NOT NULL,
    mean DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (study, point)
) WITHOUT ROWID;
CREATE INDEX locbo_point_by_mean ON locbo_point (study, mean, event);

-- step 9: one who computes a proposal makes one for each of those who wait for it
ALTER TABLE locbo_study ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0; -- for the next trial
