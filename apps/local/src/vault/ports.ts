import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Below the ports that systems give to outgoing connections, which come and go. */
const firstPortMin = 20_000;
const firstPortMax = 29_000;
const pollMs = 100;

/** Free ports of the loopback address. They are looked for upwards from a place drawn by `random` (from 0 to below 1). */
export async function findFreePorts(count: number, random: () => number): Promise<number[]> {
  const found: number[] = [];
  let port = firstPortMin + Math.floor(random() * (firstPortMax - firstPortMin));
  for (; found.length < count && port < firstPortMax + 1000; port++) {
    if (await isFree("127.0.0.1", port)) found.push(port);
  }
  if (found.length < count) throw new Error(`This machine has no ${count} free ports for the vault.`);
  return found;
}

export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * The first place that is still taken after the given time, or undefined. The processes of a start that was killed end
 * by themselves, and take a moment.
 */
export async function findTakenPlace<Wanted extends Place>(
  places: readonly Wanted[],
  withinMs: number,
): Promise<Wanted | undefined> {
  const deadlineMs = performance.now() + withinMs;
  for (const place of places) {
    while (!(await isFree(place.host, place.port))) {
      if (performance.now() > deadlineMs) return place;
      await delay(pollMs);
    }
  }
  return undefined;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
