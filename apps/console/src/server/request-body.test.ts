import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { bodyBytesMax, refuseBody } from "./request-body.ts";

async function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  const server = createServer((incoming, response) => {
    if (!refuseBody(incoming, response)) response.end("taken");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", method: "POST", headers });
  sent.flushHeaders();
  const [response] = await once(sent, "response");
  sent.destroy();
  server.close();
  return response.statusCode;
}

test.each([
  [{ "content-length": String(bodyBytesMax) }, 200],
  [{ "content-length": String(bodyBytesMax + 1) }, 413],
  [{ "transfer-encoding": "chunked" }, 411],
])("a request with %o is answered %d before a byte of its body is read", async (headers, status) => {
  expect(await statusFor(headers as Record<string, string>)).toBe(status);
});
