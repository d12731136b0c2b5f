/* demo_problem.c - the simulated problems of `locbo demo`: bread, a reactor, an alloy, a cooler.
 * Plain formulas; all that is random comes from the trial's seed. Layer: demo. */
#include "demo_problem.h"

#include <math.h>
#include <string.h>

#include "distribution.h"
#include "draw.h"
#include "goal.h"
#include "mem.h"

/* As result.h reads them. */
enum { BLOCKED = 3, INFEASIBLE = 65, TRANSIENT = 75, TIMED_OUT = 124 };

/* A hill of height 1 around a point. */
static double hill(double u, double v) { return exp(-0.5 * (u * u + v * v)); }

/* ---- bread: how bad a loaf is ---------------------------------------------------------------- */

static const char *const bread_parameters[] = {"temperature~float(150,260)", "minutes~int(10,60)", NULL};
/* What the book says, and what the neighbour does. */
static const double bread_given[][DEMO_DIM] = {{220, 40}, {180, 55}};

/* Best at 231 degrees and 27 minutes; slow baking at 172 is good too, but not as good. The further
 * from a good recipe, the more it depends on luck. */
static void bake(const double *x, uint64_t seed, demo_run *r) {
    draw d = draw_open(seed, 1);
    double heat = x[0], minutes = x[1];
    double quick = hill((heat - 231) / 18, (minutes - 27 + 0.25 * (heat - 231)) / 7);
    double slow = hill((heat - 172) / 14, (minutes - 50) / 6);
    double good = fmax(quick, 0.75 * slow);
    double sd = 0.08 + 0.9 * (1 - good) * (1 - good);
    double crust = 10 - 9 * good + sd * draw_normal(&d);
    buffer_print(&r->out, "baked for %g minutes at %.0f degrees\n", minutes, heat);
    if (heat > 245 && minutes > 35) buffer_print(&r->err, "warning: smoke\n");
    buffer_print(&r->out, "%.9f\n", crust);
}

/* ---- reactor: the yield of a synthesis, in percent ------------------------------------------- */

enum { HEAT, PRESSURE, RESIDENCE, STAGES, CATALYST };
enum { COPPER, NICKEL, PLATINUM };
static const char *const reactor_parameters[] = {"temperature~float(320,520)",
                                                 "pressure~log(1,100)",
                                                 "residence~log(0.1,100)",
                                                 "stages~int(1,8)",
                                                 "catalyst~cat(copper,nickel,platinum)",
                                                 NULL};
static const double reactor_queued[DEMO_DIM] = {450, 40, (double)NAN, 5, PLATINUM};

/* Each catalyst likes another temperature; pressure helps up to a point; too long a residence burns the product. */
static double reactor_yield(const double *x) {
    static const double best[] = {390, 420, 445}, height[] = {0.62, 0.74, 0.84};
    int c = (int)x[CATALYST];
    double heat = (x[HEAT] - best[c]) / 60, pressure = log(x[PRESSURE] / 22) / 1.7;
    double time = log(x[RESIDENCE] * x[STAGES] / 30 * exp((x[HEAT] - 430) / 60)) / 2.2;
    double stages = 1 - 0.35 * exp(-0.6 * (x[STAGES] - 1));
    return 100 * height[c] * stages * hill(heat, 0) * hill(pressure, time);
}

/* Heavy tails: a normal of random spread, which is wider at high pressure and with nickel. */
static double reactor_noise(const double *x, draw *d) {
    double scale = 0.5 + 2.5 * log(x[PRESSURE]) / log(100) + (x[CATALYST] == NICKEL ? 1.5 : 0);
    return scale * draw_normal(d) / sqrt(0.3 + draw_exponential(d));
}

/* What goes wrong; 0: nothing. */
static int reactor_trouble(const double *x, draw *d, buffer *err) {
    double most = 100 * exp(-fmax(0, x[HEAT] - 400) / 80);
    double flow = draw_uniform(d), sensor = draw_uniform(d), patience = draw_uniform(d);
    if (x[PRESSURE] > most) {
        buffer_print(err, "the vessel holds %.1f bar at %.0f K\n", most, x[HEAT]);
        return INFEASIBLE;
    }
    if (sensor < 0.03) {
        buffer_print(err, "the sensor does not answer, try again\n");
        return TRANSIENT;
    }
    double coking = x[CATALYST] == NICKEL ? 0.4 : 0.15;
    if (flow < coking * (x[HEAT] - 400) / 120) {
        buffer_print(err, "flow 0.00 l/min\nthe bed is blocked by coke\n");
        return BLOCKED;
    }
    if (x[RESIDENCE] * x[STAGES] > 400 || patience < 0.02) {
        buffer_print(err, "no steady state within 30 s\n");
        return TIMED_OUT;
    }
    return 0;
}

/* Two samples, now and then three. */
static void react(const double *x, uint64_t seed, demo_run *r) {
    draw d = draw_open(seed, 2);
    double yield = reactor_yield(x);
    buffer_print(&r->out, "heating to %.1f K, %.2f bar\n", x[HEAT], x[PRESSURE]);
    r->exit_code = reactor_trouble(x, &d, &r->err);
    if (r->exit_code != 0) return;
    unsigned samples = draw_uniform(&d) < 0.25 ? 3 : 2;
    buffer_print(&r->out, "steady state; %u samples\n{\"values\": [", samples);
    for (unsigned i = 0; i < samples; i++) buffer_print(&r->out, "%s%.9f", i ? ", " : "", yield + reactor_noise(x, &d));
    buffer_print(&r->out, "]}\n");
    if (x[HEAT] > 470) buffer_print(&r->err, "warning: the catalyst ages above 470 K\n");
}

/* ---- alloy: the strength of a steel, in MPa -------------------------------------------------- */

static const char *const alloy_parameters[] = {"nickel~float(0,20)", "chromium~float(0,30)", "anneal~int(600,1100)",
                                               NULL};

/* The mean of four bars, with its standard error; rich alloys scatter more than the model takes for granted. */
static void pull(const double *x, uint64_t seed, demo_run *r) {
    enum { BARS = 4 };
    draw d = draw_open(seed, 3);
    double strength = 420 + 310 * hill((x[0] - 9) / 4.5, (x[1] - 17) / 6) * hill((x[2] - 870) / 90, 0) +
                      60 * hill((x[0] - 17) / 3, (x[1] - 6) / 5) - 0.02 * fabs(x[2] - 800);
    double sd = 2 + 40 * pow((x[0] + x[1]) / 50, 3), sum = 0, square = 0;
    for (int i = 0; i < BARS; i++) {
        double bar = strength + sd * draw_normal(&d);
        buffer_print(&r->out, "bar %d: %.2f MPa\n", i + 1, bar);
        sum += bar;
        square += (bar - strength) * (bar - strength);
    }
    buffer_print(&r->out, "{\"value\": %.9f, \"sd\": %.9f}\n", sum / BARS, sqrt(square) / BARS);
}

/* ---- cooler: cost and pumping power of a tubular heat exchanger ------------------------------- */

enum { TUBES, DIAMETER, LENGTH };
static const char *const cooler_parameters[] = {"tubes~int(20,200)", "diameter~log(8,40)", "length~float(1,8)", NULL};
static const char *const cooler_outputs[] = {"cost~minimize", "power~minimize,scale=log", "outlet<=45", "weight~record",
                                             NULL};

/* Water of 80 degrees, 10 kg/s, through tubes (mm, m) in a bath of 20 degrees: Dittus and Boelter's heat transfer,
 * Blasius's friction. Thin tubes cool well but take power to pump; many or long ones cost. */
typedef struct cooler {
    double speed, power, outlet, area;
} cooler;

static cooler cooler_state(const double *x) {
    const double pi = 3.14159265358979323846, flow = 10, density = 990, heat = 4180, viscosity = 6e-4;
    double diameter = x[DIAMETER] / 1000, area = x[TUBES] * pi * diameter * x[LENGTH];
    double speed = flow / (density * x[TUBES] * pi * diameter * diameter / 4);
    double reynolds = density * speed * diameter / viscosity;
    double inside = 0.023 * pow(reynolds, 0.8) * 1.5 * 0.64 / diameter, outside = 3000;
    double units = area / (1 / inside + 1 / outside) / (flow * heat);
    double drop = 0.184 * pow(reynolds, -0.2) * (x[LENGTH] / diameter + 50) * density * speed * speed / 2;
    return (cooler){speed, drop * flow / density, 20 + 60 * exp(-units), area};
}

/* The meters scatter: price and power by some percent, the temperature by half a degree. */
static void cool(const double *x, uint64_t seed, demo_run *r) {
    draw d = draw_open(seed, 6);
    cooler c = cooler_state(x);
    buffer_print(&r->out, "%.0f tubes, %.1f m2, %.2f m/s\n", x[TUBES], c.area, c.speed);
    if (c.speed > 5) {
        buffer_print(&r->err, "the tubes vibrate at %.1f m/s\n", c.speed);
        r->exit_code = INFEASIBLE;
        return;
    }
    double cost = (5 + 0.06 * x[TUBES] + 0.9 * pow(c.area, 0.85)) * (1 + 0.03 * draw_normal(&d));
    double power = c.power * exp(0.05 * draw_normal(&d)), outlet = c.outlet + 0.5 * draw_normal(&d);
    buffer_print(&r->out, "{\"cost\": %.9f, \"power\": %.9f, \"outlet\": %.9f, \"weight\": %.1f}\n", cost, power,
                 outlet, 60 + 14 * c.area);
}

/* ---- training: the loss of a network, epoch by epoch ----------------------------------------- */

enum { RATE, MOMENTUM, WIDTH, EPOCHS = 30 };
static const char *const training_parameters[] = {"rate~log(1e-4,1)", "momentum~float(0,0.99)", "width~int(8,256,log)",
                                                  NULL};

/* With momentum m a rate r is one of r / (1 - m); best are 0.1 and a width of 64. Smaller rates learn more slowly. */
static void train(const double *x, uint64_t seed, demo_run *r) {
    draw d = draw_open(seed, 7);
    double from_best = log10(x[RATE] / (1 - x[MOMENTUM]) / 0.1), doublings = log2(x[WIDTH] / 64);
    double last = 0.12 + 0.12 * from_best * from_best + 0.015 * doublings * doublings;
    double epochs = 4 * (1 + fmax(0, -2 * from_best)), loss = 0;
    for (int k = 1; k <= EPOCHS; k++) {
        loss = last + 2.3 * exp(-k / epochs) + 0.01 * draw_normal(&d);
        buffer_print(&r->out, "step %d %.6f\n", k, loss);
    }
    buffer_print(&r->out, "%.9f\n", loss);
}

/* ---- the table ------------------------------------------------------------------------------- */

const demo_problem demo_problems[] = {
    {.name = "reactor",
     .about = "the yield of a synthesis; heavy-tailed noise, failures, infeasible settings",
     .parameters = reactor_parameters,
     .direction = "maximize",
     .method = "locbo",
     .filled = 80,
     .wanted = 200,
     .timeout = 30,
     .workers = {"lab-1", "lab-2", "night-shift"},
     .queued = reactor_queued,
     .running = 1,
     .evaluate = react},
    {.name = "bread",
     .about = "how bad a loaf is; more noise away from good recipes",
     .parameters = bread_parameters,
     .direction = "minimize",
     .method = "locbo",
     .filled = 60,
     .wanted = 100,
     .timeout = (double)NAN,
     .workers = {"kitchen"},
     .given_count = 2,
     .given = bread_given,
     .evaluate = bake},
    {.name = "alloy",
     .about = "the strength of a steel; method bo: the same model, its intervals not calibrated",
     .parameters = alloy_parameters,
     .direction = "maximize",
     .method = "bo",
     .filled = 45,
     .wanted = 60,
     .no_improvement = 40,
     .timeout = (double)NAN,
     .workers = {"foundry-a", "foundry-b"},
     .stopped = "the batch of steel is used up",
     .evaluate = pull},
    {.name = "cooler",
     .about = "cost and pumping power of a heat exchanger, outlet at most 45 degrees",
     .parameters = cooler_parameters,
     .outputs = cooler_outputs,
     .method = "locbo",
     .filled = 40,
     .wanted = 60,
     .timeout = (double)NAN,
     .workers = {"workshop"},
     .evaluate = cool},
    {.name = "training",
     .about = "the loss of a network, reported epoch by epoch; hopeless ones are ended early",
     .parameters = training_parameters,
     .direction = "minimize",
     .method = "locbo",
     .filled = 40,
     .wanted = 60,
     .timeout = (double)NAN,
     .prune = LOCBO_PRUNE_RISK,
     .workers = {"gpu-1", "gpu-2"},
     .evaluate = train},
    {.name = NULL}};

const demo_problem *demo_problem_find(const char *name) {
    for (const demo_problem *p = demo_problems; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

locbo_status demo_problem_space(const demo_problem *p, locbo_space **space, locbo_error *error) {
    locbo_space *made = NULL;
    locbo_status status = locbo_space_create(&made, error);
    for (size_t i = 0; p->parameters[i] && status == LOCBO_OK; i++)
        status = distribution_add(made, p->parameters[i], error);
    if (status == LOCBO_OK)
        *space = made;
    else
        locbo_space_destroy(made);
    return status;
}

locbo_status demo_problem_outputs(const demo_problem *p, locbo_outputs **outputs, locbo_error *error) {
    locbo_outputs *made = NULL;
    locbo_status status = p->outputs ? locbo_outputs_create(&made, error) : status_ok(error);
    for (size_t i = 0; p->outputs && p->outputs[i] && status == LOCBO_OK; i++)
        status = goal_add(made, p->outputs[i], error);
    if (status == LOCBO_OK)
        *outputs = made;
    else
        locbo_outputs_destroy(made);
    return status;
}

locbo_status demo_problem_evaluate(const demo_problem *p, const double *x, uint64_t seed, demo_run *run,
                                   locbo_error *error) {
    *run = (demo_run){.exit_code = 0};
    p->evaluate(x, seed, run);
    return run->out.failed || run->err.failed ? status_no_memory(error) : status_ok(error);
}

void demo_run_release(demo_run *run) {
    mem_free(run->out.data);
    mem_free(run->err.data);
    *run = (demo_run){.exit_code = 0};
}
