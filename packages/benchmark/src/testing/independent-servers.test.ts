import { expect, test } from "vitest";
import { startServer } from "./independent-servers.ts";

/** One-line program, which gets the port to listen on. */
const program = (source: string) => (port: number) => ({
  command: process.execPath,
  args: ["-e", `const port = ${port}; ${source}`],
  options: {},
});
const listen =
  "require('node:http').createServer((_, answer) => answer.end('here')).listen(port, '127.0.0.1')";

test("the harness waits for a store that is slow to listen", async () => {
  const { url, close } = await startServer(program(`setTimeout(() => ${listen}, 400)`));
  expect(await (await fetch(url)).text()).toBe("here");
  await close();
}, 60_000);

test("a store that ends before it listens is reported as failed at once, with its output", async () => {
  const started = startServer(program("console.error('no such flag: --blob'); process.exitCode = 3"));
  await expect(started).rejects.toThrow(
    /did not start: it ended with exit code 3 and wrote: no such flag: --blob$/,
  );
}, 60_000);

test("a missing program is a failure with its name", async () => {
  const started = startServer(() => ({ command: "no-such-store", args: [], options: {} }));
  await expect(started).rejects.toThrow(/^no-such-store did not start: spawn no-such-store ENOENT/);
}, 60_000);

test("a store that never listens is ended after its time limit, or when no longer needed", async () => {
  const silent = program("setInterval(() => {}, 1000)");
  await expect(startServer(silent, { startedWithinMs: 300 })).rejects.toThrow(/did not listen within 0\.3 s/);
  const unwanted = AbortSignal.timeout(300);
  await expect(startServer(silent, { signal: unwanted })).rejects.toThrow(/aborted due to timeout/);
}, 60_000);
