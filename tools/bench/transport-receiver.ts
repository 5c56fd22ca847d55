/** The other process of the transport's bench: takes shards as frames and as HTTP requests, and answers each. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listen, type Received } from "@stashlight/transport";

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const payload = Buffer.concat(chunks);
    if (payload.length === 0) throw new Error("A request came without its shard.");
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

const answer = ({ nodeId, from, to, message }: Received): void => {
  if (message.type !== "pod.append") throw new Error(`A ${message.type} came where a shard must come.`);
  const { uploadId } = message.shard.upload;
  server.send(nodeId, {
    from: to,
    to: from,
    message: { type: "coordinator.podAppended", uploadId, podIndex: 0, bootId: 1, result: "written" },
  });
};
const server = await listen({
  identity: { clusterId: "bench", nodeId: "receiver", bootId: 1 },
  tls: null,
  host: "127.0.0.1",
  port: 0,
  authorise: () => null,
  receive: answer,
});

// Whoever asks has answered all it was sent, so this is the processor time of what it was sent.
process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
process.on("disconnect", () => process.exit());
process.send?.({ ports: { http: (http.address() as AddressInfo).port, framed: server.port } });
