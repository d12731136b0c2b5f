#!/usr/bin/env python3
"""A training run that reports its loss after each epoch: `step EPOCH LOSS`, a line each, and in the end the loss alone,
which is the result. Nothing is trained here: the curve falls faster with a larger rate, and too large a rate is noisy
and ends high. `locbo run --prune risk` ends runs early whose last loss will not be the best one.

    learn.py RATE WIDTH SEED [EPOCHS]"""
import math
import random
import sys
import time

rate, width, seed = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
epochs = int(sys.argv[4]) if len(sys.argv) > 4 else 30
noise = random.Random(seed)
last = 0.2 + 0.15 * math.log10(rate / 0.02) ** 2 + 0.1 * math.log2(width / 48) ** 2
for epoch in range(1, epochs + 1):
    time.sleep(0.01)  # the work
    loss = last + (2.3 - last) * math.exp(-epoch * (0.1 + 2 * rate)) + noise.gauss(0, 0.005)
    print("step", epoch, loss, flush=True)  # flush: otherwise the lines come at the end, all at once
print(loss)
