import type { Surroundings } from "@stashlight/shard-store/shell";
import type { Address } from "@stashlight/write-path";
import { monotonicNowMs, wallAheadMs } from "./clock.ts";
import type { Switchboard } from "./switchboard.ts";

/** A machine in an agent's process runs on Node's timers, the process' clocks and the switchboard. */
export function processSurroundings(address: Address, switchboard: Pick<Switchboard, "send">): Surroundings {
  return {
    send: (to, message) => switchboard.send(address, to, message),
    startTimer: (delayMs, action) => {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
    defer: (action) => void setImmediate(action),
    nowMs: monotonicNowMs,
    wallAheadMs,
  };
}
