import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { FIRST_PORT, findFreePorts, PORTS_PER_RANGE } from "./free-ports.ts";

test("another run of the tests gets ports of another range, even with the same worker number", async () => {
  const [mine] = (await findFreePorts(1)) as [number];
  const script = `const { findFreePorts } = await import(${JSON.stringify(import.meta.resolve("./free-ports.ts"))});
    console.log((await findFreePorts(3)).join());`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  const theirs = stdout.trim().split(",").map(Number);
  expect(theirs).toHaveLength(3);
  const portRange = (port: number) => Math.floor((port - FIRST_PORT) / PORTS_PER_RANGE);
  expect(theirs.map(portRange)).not.toContain(portRange(mine));
});
