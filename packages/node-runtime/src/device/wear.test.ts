import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readWearRatio } from "./wear.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-smart-"));
  vi.stubEnv("PATH", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A smartctl that prints this when it is asked as it should be, and ends with this exit code. */
function install(printed: string, exitCode = 0): void {
  const file = join(folder, "smartctl");
  const lines = [
    "#!/bin/sh",
    '[ "$*" = "--json=c -A /dev/nvme0n1" ] || exit 1',
    `printf '%s\\n' '${printed}'`,
    `exit ${exitCode}`,
  ];
  writeFileSync(file, lines.join("\n"));
  chmodSync(file, 0o755);
}

const answer = (percentageUsed: unknown) =>
  JSON.stringify({ nvme_smart_health_information_log: { percentage_used: percentageUsed } });

test.each([
  ["a new disk", answer(0), 0, 0],
  ["a worn disk", answer(37), 0, 0.37],
  ["a disk that is used beyond its rating, and warned of", answer(104), 8, 1.04],
])("%s tells its wear", async (_, printed, exitCode, expected) => {
  install(printed, exitCode);
  expect(await readWearRatio("nvme0n1")).toBe(expected);
});

test.each([
  ["may not ask", '{"smartctl":{"exit_status":2}}', 2],
  ["says what cannot be", answer(-1), 0],
  ["says it in words", answer("37"), 0],
  ["prints no JSON", "segmentation fault", 0],
  ["prints more than is read", answer(37).padStart(300_000), 0],
])("nothing is known when smartctl %s", async (_, printed, exitCode) => {
  install(printed, exitCode);
  expect(await readWearRatio("nvme0n1")).toBeNull();
});

test("nothing is known without smartctl", async () => {
  expect(await readWearRatio("nvme0n1")).toBeNull();
});

test.each(["sda", "vda", "dm-0", "nvme0n1; rm", "../nvme0n1"])(
  "a disk named %s is not asked",
  async (name) => {
    install(answer(37));
    expect(await readWearRatio(name)).toBeNull();
  },
);
