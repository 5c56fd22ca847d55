import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections: a node that is down for a while would find its port taken
 * by somebody's call, perhaps by the very call of a peer that waits for it.
 */
const FIRST_PORT = 10_000;
const PORTS_PER_WORKER = 1300;
const WORKER_COUNT_MAX = 16;

/** Test files that run at the same time look in ranges of their own: a vault takes its ports seconds after this. */
const worker = Number(process.env.VITEST_POOL_ID ?? 1) % WORKER_COUNT_MAX;
let next = 0;

/** Ports of the loopback that nobody listens on, none of which this file has been given before. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    if (next === PORTS_PER_WORKER)
      throw new Error(`A test file has used all of its ${PORTS_PER_WORKER} ports.`);
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + next++;
    if (await isFree(port)) found.push(port);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
