/** The other process of the transport benchmark: receives shards as frames and as HTTP requests, and answers each. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectTo, type Envelope, listen, type Received } from "@stashlight/transport";
import { nodeKeys } from "./key-ring.ts";

const [senderPort = "", ring = ""] = process.argv.slice(2);

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const payload = Buffer.concat(chunks);
    if (payload.length === 0) throw new Error("A request has no shard.");
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

/** Answers received shards by `send`. */
function answering(send: (nodeId: string, envelope: Envelope) => void): (received: Received) => void {
  return ({ nodeId, from, to, message }) => {
    if (message.type !== "pod.append") throw new Error(`A ${message.type} arrived instead of a shard.`);
    const { uploadId } = message.shard.upload;
    send(nodeId, {
      from: to,
      to: from,
      message: { type: "coordinator.podAppended", uploadId, podIndex: 0, bootId: 1, result: "written" },
    });
  };
}

const common = {
  identity: { clusterId: "bench", nodeId: "receiver", bootId: 1 },
  keys: nodeKeys(JSON.parse(ring), "receiver"),
  tls: null,
  host: "127.0.0.1",
  authorise: () => null,
  epochOf: () => 1,
};
const server = await listen({
  ...common,
  port: 0,
  receive: answering((nodeId, envelope) => server.send(nodeId, envelope)),
});
const peer = connectTo({
  ...common,
  nodeId: "sender",
  port: Number(senderPort),
  receive: answering((_nodeId, envelope) => peer.send(envelope)),
});

// The sender has received all answers, so this is the CPU time of its shards.
process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
process.on("disconnect", () => process.exit());
process.send?.({ ports: { http: (http.address() as AddressInfo).port, framed: server.port } });
