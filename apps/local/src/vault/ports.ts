import { setTimeout as delay } from "node:timers/promises";
import { isPortFree } from "@stashlight/node-runtime/config";

const pollMs = 100;

export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * The first port that is still taken after the given time, or undefined. Waits because the processes of a killed start
 * exit shortly after it.
 */
export async function findTakenPlace<Wanted extends Place>(
  places: readonly Wanted[],
  withinMs: number,
): Promise<Wanted | undefined> {
  const deadlineMs = performance.now() + withinMs;
  for (const place of places) {
    while (!(await isPortFree(place.host, place.port))) {
      if (performance.now() > deadlineMs) return place;
      await delay(pollMs);
    }
  }
  return undefined;
}
