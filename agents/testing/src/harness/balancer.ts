/**
 * The simplest load balancer: it assigns connections in turn, and a refused one to the next coordinator, without sticky
 * sessions or keys.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Balancer {
  readonly endpoint: string;
  /** Number of connections that each port has accepted. */
  readonly takenCounts: ReadonlyMap<number, number>;
  close(): void;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const takenCounts = new Map(ports.map((port) => [port, 0]));
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    follow(client);
    turn += 1;
    pass(client, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)]);
  });
  const follow = (socket: Socket): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket)).on("error", () => {});
  };
  const pass = (client: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const served = connect(port, "127.0.0.1");
    follow(served);
    let isTaken = false;
    served.once("connect", () => {
      isTaken = true;
      takenCounts.set(port, (takenCounts.get(port) ?? 0) + 1);
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
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
