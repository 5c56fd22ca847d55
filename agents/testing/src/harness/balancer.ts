/**
 * A minimal load balancer: it distributes connections round-robin, and passes a refused one to the next place. Neither
 * sessions nor keys stick to a coordinator. A place with `isReady` gets connections only while it is ready.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Place {
  readonly host: string;
  readonly port: number;
  readonly isReady?: () => Promise<boolean>;
}

export interface Balancer {
  readonly endpoint: string;
  /** Number of connections that each port has accepted. */
  readonly takenCounts: readonly number[];
  /** Number of places that were ready when they were last asked. */
  countReady(): number;
  close(): void;
}

const ASK_EVERY_MS = 200;

export async function startBalancer(places: readonly Place[]): Promise<Balancer> {
  const takenCounts = places.map(() => 0);
  const readiness = followReadiness(places);
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    follow(client);
    turn += 1;
    const order = places.map((_, at) => (at + turn) % places.length);
    pass(client, order.filter(readiness.isReady));
  });
  const follow = (socket: Socket): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket)).on("error", () => {});
  };
  const pass = (client: Socket, [at, ...others]: readonly number[]): void => {
    if (at === undefined) {
      client.destroy();
      return;
    }
    const { host, port } = places[at] as Place;
    const served = connect(port, host);
    follow(served);
    let isTaken = false;
    served.once("connect", () => {
      isTaken = true;
      takenCounts[at] = (takenCounts[at] ?? 0) + 1;
      client.pipe(served).pipe(client);
    });
    served.once("close", () => (isTaken ? client.destroy() : pass(client, others)));
    client.once("close", () => served.destroy());
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takenCounts,
    countReady: () => places.filter((_, at) => readiness.isReady(at)).length,
    close: () => {
      readiness.stop();
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Asks each place again only after its last answer, so that a late answer never replaces a newer one. */
function followReadiness(places: readonly Place[]): { isReady: (at: number) => boolean; stop: () => void } {
  const states = places.map(({ isReady }) => isReady === undefined);
  const stopped = new AbortController();
  const follow = async (at: number, isReady: () => Promise<boolean>): Promise<void> => {
    while (!stopped.signal.aborted) {
      states[at] = await isReady();
      await delay(ASK_EVERY_MS);
    }
  };
  for (const [at, { isReady }] of places.entries()) if (isReady !== undefined) void follow(at, isReady);
  return { isReady: (at) => states[at] === true, stop: () => stopped.abort() };
}
