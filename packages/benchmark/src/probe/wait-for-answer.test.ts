import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { TEST_CREDENTIALS, testTarget } from "../testing/index.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

let server: Server;
afterEach(() => server.close());

/** Answers with these statuses, the last one again and again; null closes the connection. */
async function listen(statuses: readonly (number | null)[]): Promise<{ url: string; asked: () => number }> {
  let count = 0;
  server = createServer((request, response) => {
    const status = statuses[Math.min(count, statuses.length - 1)] ?? null;
    count += 1;
    if (status === null) request.socket.destroy();
    else response.writeHead(status, { "content-length": 0 }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => count };
}

const wait = (url: string, signal = new AbortController().signal) =>
  waitForAnswer({ endpoint: testTarget(url), credentials: TEST_CREDENTIALS, signal, retryMs: 1 });

test.each<[string, readonly (number | null)[], number]>([
  ["answers at once", [200], 1],
  ["closes connections, then sheds, then answers", [null, 503, 200], 3],
  ["refuses the key", [403], 1],
])("the wait for a store that %s ends with its first answer", async (_, statuses, count) => {
  const { url, asked } = await listen(statuses);
  expect(await wait(url)).toBe(true);
  expect(asked()).toBe(count);
});

test("the wait for a store that does not answer ends with its signal", async () => {
  const { url, asked } = await listen([503]);
  const ending = new AbortController();
  const waited = wait(url, ending.signal);
  await expect.poll(asked).toBeGreaterThan(2);
  ending.abort();
  expect(await waited).toBe(false);
});
