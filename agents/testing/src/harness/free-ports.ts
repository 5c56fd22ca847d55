import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems use for outgoing connections: otherwise a node that is down for a while might find its
 * port taken, perhaps by a peer's own attempt to reach it. The ranges end below 20,000, where the product looks for
 * free ports.
 */
export const FIRST_PORT = 10_000;
export const PORTS_PER_RANGE = 600;
const RANGE_COUNT = 16;

/**
 * A vault takes its ports seconds after they were found, and a restarted node takes them again. So each process of
 * tests has its own range, on whose first port it listens until it ends: no other process or test run on this machine
 * gets a port of that range.
 */
let range: Promise<{ readonly guard: Server; readonly firstPort: number }> | null = null;
let next = 1;

/**
 * Finds free loopback ports. Ports are reused when the range has been used up, by which time another test file runs,
 * because none uses a third of a range.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  range ??= claimRange();
  const { firstPort } = await range;
  const found: number[] = [];
  while (found.length < count) {
    const port = firstPort + next;
    next = next + 1 < PORTS_PER_RANGE ? next + 1 : 1;
    const probe = await listenOn(port);
    if (probe === null) continue;
    await new Promise((resolve) => probe.close(resolve));
    found.push(port);
  }
  return found;
}

async function claimRange() {
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  for (let step = 0; step < RANGE_COUNT; step += 1) {
    const firstPort = FIRST_PORT + ((worker + step) % RANGE_COUNT) * PORTS_PER_RANGE;
    const guard = await listenOn(firstPort);
    if (guard !== null) return { guard: guard.unref(), firstPort };
  }
  throw new Error(`${RANGE_COUNT} processes of tests that need ports run on this machine already.`);
}

/** Returns null if the port is taken. */
function listenOn(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(server));
  });
}
