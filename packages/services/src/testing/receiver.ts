/** An HTTP server on loopback that records what it receives, for tests of outbound requests. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly posts: ReceivedPost[];
  /** Answers to the next requests, in order; then 204. */
  readonly statuses: number[];
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    posts.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    const status = statuses.shift() ?? 204;
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {});
    response.end(status === 204 ? undefined : "hunter2");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    statuses,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
