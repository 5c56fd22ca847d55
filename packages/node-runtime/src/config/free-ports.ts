import { createServer } from "node:net";

/** Below the range from which systems assign ports to outgoing connections. */
const firstPortMin = 20_000;
const firstPortMax = 29_000;

/** Finds free ports of the loopback address, searching upwards from a port drawn by `random` (from 0 to below 1). */
export async function findFreePorts(count: number, random: () => number): Promise<number[]> {
  const found: number[] = [];
  let port = firstPortMin + Math.floor(random() * (firstPortMax - firstPortMin));
  for (; found.length < count && port < firstPortMax + 1000; port++) {
    if (await isPortFree("127.0.0.1", port)) found.push(port);
  }
  if (found.length < count) throw new Error(`This machine has no ${count} free ports for the vault.`);
  return found;
}

/** Returns true if this process could listen there. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
