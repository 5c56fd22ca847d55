import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./environment.ts";

const run = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: repositoryRoot, encoding: "utf8", timeout: 60_000 });

test.each([
  "tools/test-changed.ts",
  "tools/bit-rot-rounds.ts",
  "tools/drive-rounds.ts",
  "tools/test-package.ts",
])("%s answers --help and an unknown option with its usage and no stack", (tool) => {
  const help = run(join(repositoryRoot, tool), "--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^Usage: npm run /);
  const unknown = run(join(repositoryRoot, tool), "--no-such-option");
  expect(unknown).toMatchObject({ status: 1, stdout: "" });
  expect(unknown.stderr).toContain("--no-such-option");
  expect(unknown.stderr).toContain(help.stdout.trim());
  expect(unknown.stderr).not.toMatch(/^\s+at /m);
});
