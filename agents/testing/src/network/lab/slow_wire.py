"""Carries frames between two tap devices late, loses some and lets some overtake others: a wire for kernels without netem.

slow_wire.py NEAR FAR DELAY_MS JITTER_MS LOSS_PERCENT REORDER_PERCENT, until its input ends.
"""

import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
FRAME_BYTES_MAX = 65536
# As a router does, the wire drops what exceeds its memory.
WAITING_COUNT_MAX = 10000


def open_tap(name):
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def main():
    near, far = (open_tap(name) for name in sys.argv[1:3])
    delay, jitter, loss, reorder = (float(text) for text in sys.argv[3:7])
    chance = random.Random(1)
    other = {near: far, far: near}
    waiting = []
    count = 0
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, to, frame = heapq.heappop(waiting)
            try:
                os.write(to, frame)
            except OSError:
                pass  # The device is full, or down.
        patience = max(0.0, waiting[0][0] - now) if waiting else None
        readable, _, _ = select.select([near, far, sys.stdin], [], [], patience)
        if sys.stdin in readable:
            return
        now = time.monotonic()
        for tap in readable:
            try:
                frame = os.read(tap, FRAME_BYTES_MAX)
            except OSError:
                continue
            if len(waiting) >= WAITING_COUNT_MAX or chance.random() * 100 < loss:
                continue
            is_early = chance.random() * 100 < reorder
            late = 0.0 if is_early else (delay + chance.uniform(-jitter, jitter)) / 1000
            count += 1
            heapq.heappush(waiting, (now + late, count, other[tap], frame))


main()
