import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections: a node that is down for a while would find its port taken
 * by somebody's call, perhaps by the very call of a peer that waits for it.
 */
const FIRST_PORT_MIN = 10_000;
const FIRST_PORT_MAX = 31_000;

/** Ports of the loopback that nobody listens on, looked for upwards from a random one. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let port = randomInt(FIRST_PORT_MIN, FIRST_PORT_MAX); found.length < count; port += 1) {
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
