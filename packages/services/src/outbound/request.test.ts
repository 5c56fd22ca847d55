import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type OutboundRequest, requestOutbound } from "./request.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server, end: () => void = () => undefined): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    const closed = once(server, "close");
    server.close();
    end();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

async function startServer(respond: RequestListener) {
  const requests: (Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string })[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
    respond(request, response);
  });
  return { port: await listen(server, () => server.closeAllConnections()), requests };
}

const send = (port: number, changes: Partial<OutboundRequest> = {}) =>
  requestOutbound({
    url: `http://127.0.0.1:${port}/hook`,
    method: "POST",
    headers: { "content-type": "text/plain" },
    allowedCidrs: ["127.0.0.0/8"],
    timeoutMs: 30_000,
    answerBytesMax: 10,
    ...changes,
  });

test("a request arrives as specified, with the length of its body in bytes", async () => {
  const { port, requests } = await startServer((_, response) => response.writeHead(201).end("thanks"));
  expect(await send(port, { body: "größer" })).toEqual({ status: 201, body: "thanks" });
  expect(requests).toMatchObject([
    {
      method: "POST",
      url: "/hook",
      headers: { "content-type": "text/plain", "content-length": "8" },
      body: "größer",
    },
  ]);
});

test.each([
  ["https", 0x16],
  ["http", "P".charCodeAt(0)],
])("an address with %s uses that protocol", async (scheme, firstByte) => {
  let first: number | undefined;
  const port = await listen(
    createTcpServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", ([byte]) => {
          first = byte;
          socket.destroy();
        });
    }),
  );
  await expect(send(port, { url: `${scheme}://127.0.0.1:${port}/` })).rejects.toThrow();
  expect(first).toBe(firstByte);
});

test("a redirect is an answer like any other, and is not followed", async () => {
  const { port, requests } = await startServer((_, response) =>
    response.writeHead(302, { location: "/elsewhere" }).end(),
  );
  expect(await send(port)).toEqual({ status: 302, body: "" });
  expect(requests).toHaveLength(1);
});

test("an address that is not allowed is never connected to", async () => {
  const { port, requests } = await startServer((_, response) => response.end());
  await expect(send(port, { allowedCidrs: [] })).rejects.toMatchObject({ name: "StashlightError" });
  expect(requests).toEqual([]);
});

test("a server that refuses a connection, or closes it, rejects the request", async () => {
  const { port } = await startServer((request) => request.socket.destroy());
  await expect(send(port)).rejects.toMatchObject({ code: "ECONNRESET" });
  for (const close of closing.splice(0)) await close();
  await expect(send(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a server that does not answer in time rejects the request", async () => {
  const { port } = await startServer(() => undefined);
  await expect(send(port, { timeoutMs: 50 })).rejects.toMatchObject({ name: "AbortError" });
});

test("an answer is read up to its limit, and not at all with a limit of 0", async () => {
  const { port } = await startServer(({ url }, response) => response.end("x".repeat(Number(url?.slice(1)))));
  const read = (byteCount: number, answerBytesMax: number) =>
    send(port, { url: `http://127.0.0.1:${port}/${byteCount}`, answerBytesMax });
  expect(await read(10, 10)).toEqual({ status: 200, body: "x".repeat(10) });
  await expect(read(11, 10)).rejects.toThrow("the answer has more than 10 bytes");
  expect(await read(11, 0)).toEqual({ status: 200, body: "" });
});
