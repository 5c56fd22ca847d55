/**
 * Checks that the bundle is for this machine: its addresses exist here, and its ports are free or used by its own
 * nodes.
 */
import { createServer } from "node:net";
import { connect } from "node:tls";
import type { VaultNode } from "@stashlight/node-runtime/config";
import { SetupError } from "../setup-error.ts";

interface Place {
  readonly node: VaultNode;
  readonly host: string;
  readonly port: number;
}

/** Returns true if the machine's nodes are running already. Throws a SetupError. */
export async function checkAddresses(nodes: readonly VaultNode[], ca: string): Promise<"free" | "running"> {
  let isRunning = false;
  for (const place of nodes.flatMap(nodePlaces)) {
    const code = await tryToListen(place);
    if (code === null) continue;
    const { node, host, port } = place;
    if (code === "EADDRINUSE" && (await answersAs(node, ca))) isRunning = true;
    else if (code === "EADDRINUSE") {
      throw new SetupError(
        `The port ${port} of ${host}, which ${node.id} needs, is taken by another program; stop it, or change the port in the layout.`,
      );
    } else if (code === "EADDRNOTAVAIL") {
      throw new SetupError(
        `The address ${host} of ${node.machine} is not an address of this machine; join on that machine, or correct the address in the layout and create the vault again.`,
      );
    } else if (code === "EACCES") {
      throw new SetupError(`The port ${port} of ${host}, which ${node.id} needs, can be used only by root.`);
    } else throw new SetupError(`${node.id} cannot listen on ${host}:${port}: ${code}.`);
  }
  return isRunning ? "running" : "free";
}

function nodePlaces(node: VaultNode): Place[] {
  const { host, port, adminPort } = node;
  const own = [port, adminPort].map((each) => ({ node, host, port: each }));
  return node.role === "coordinator" ? [...own, { node, host: node.s3.host, port: node.s3.port }] : own;
}

/** Returns null if the process could listen; otherwise the reason. */
function tryToListen({ host, port }: Place): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

const ANSWER_WITHIN_MS = 3000;

/** True if the node's admin page answers with a certificate from this vault's authority. */
function answersAs({ id, host, adminPort }: VaultNode, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: adminPort,
      ca,
      servername: id,
      minVersion: "TLSv1.3",
      timeout: ANSWER_WITHIN_MS,
    });
    const end = (isOwn: boolean): void => {
      socket.destroy();
      resolve(isOwn);
    };
    socket.once("secureConnect", () => end(socket.authorized));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
