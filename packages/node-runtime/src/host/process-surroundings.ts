import type { Surroundings } from "@stashlight/shard-store/shell";
import type { Address } from "@stashlight/write-path";
import { monotonicNowMs, wallAheadMs } from "./clock.ts";
import type { Switchboard } from "./message-router.ts";

/** Surroundings of a machine in an agent's process: Node's timers, the process's clocks and the switchboard. */
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
