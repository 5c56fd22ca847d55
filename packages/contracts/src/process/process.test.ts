import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const processModule = pathToFileURL(join(import.meta.dirname, "process.ts")).href;

/** Starts a process that logs each call of its stop, which takes this long. */
function start(stopMs: number, withinMs: number) {
  const program = `
    import { onStop, reportReady } from ${JSON.stringify(processModule)};
    onStop({
      withinMs: ${withinMs},
      stop: async (reason) => {
        console.log(reason);
        await new Promise((resolve) => setTimeout(resolve, ${stopMs}));
      },
    });
    reportReady();
  `;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  return { child, ended: Promise.all([once(child, "exit"), text(child.stdout as Readable)]) };
}

test("a process that receives several stop requests stops once, and then exits with code 0", async () => {
  const { child, ended } = start(300, 20_000);
  await once(child, "message");
  child.kill("SIGTERM");
  child.kill("SIGINT");
  child.disconnect();
  const [[code], said] = await ended;
  expect(code).toBe(0);
  expect(said.trim().split("\n")).toHaveLength(1);
});

test("a process whose stop takes too long exits without waiting for it", async () => {
  const { child, ended } = start(600_000, 100);
  await once(child, "message");
  child.disconnect();
  const [[code], said] = await ended;
  expect([code, said]).toEqual([0, "the supervisor requested it or is gone\n"]);
});
