/** The command line as users get it: a tarball, installed into an empty folder without a network. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { writeNpmPackage } from "./npm-package.ts";

const LONG_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), "stashlight-npm-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);

test(
  "installs into an empty folder offline and without dependencies, and makes a plan",
  async () => {
    const tarball = await writeNpmPackage(folder);
    const empty = join(folder, "empty");
    mkdirSync(empty);
    writeFileSync(join(empty, "package.json"), "{}");
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    const options = { cwd: empty, env: { PATH, HOME: empty, npm_config_update_notifier: "false" } };
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], options);
    const installed = join(empty, "node_modules/stashlight");
    expect(readdirSync(join(empty, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "stashlight",
    ]);
    expect(readFileSync(join(installed, "NOTICES"), "utf8")).toContain("zod ");
    const stashlight = join(empty, "node_modules/.bin/stashlight");
    const { stdout: example } = await run(stashlight, ["plan", "--example"], options);
    writeFileSync(join(empty, "plan.json"), example);
    const { stdout } = await run(stashlight, ["plan", "--input", "plan.json"], options);
    expect(stdout).toMatch(/^\d+ drives in \d+ servers;/);
    const { stdout: help } = await run(stashlight, ["--help"], options);
    for (const command of ["plan --input", "bench run", "vault status", "disk check"]) {
      expect(help).toContain(`  stashlight ${command}`);
    }
  },
  LONG_MS,
);
