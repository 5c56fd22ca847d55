/** Every event of a run, one per line. */
import type { RunObserver } from "../run.ts";
import { describeEvent, formatTime } from "./describe-event.ts";

export function traceTo(write: (line: string) => void): RunObserver {
  return {
    begin(world) {
      world.listener = (address, event) => {
        write(`${formatTime(world.queue.nowUs)}  ${describeEvent(address, event)}`);
      };
    },
  };
}
