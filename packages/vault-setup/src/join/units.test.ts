import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceUnit } from "./units.ts";

const unit = serviceUnit(
  {
    name: "stash",
    nodeIds: ["m1.stash"],
    command: [
      process.execPath,
      "--max-semi-space-size=4",
      "/opt/stash light/100%/main.ts",
      "--node",
      "m1.stash",
    ],
    env: { UV_THREADPOOL_SIZE: "6" },
    folders: ["/var/lib/stashlight/nodes/m1.stash", "/srv/ssd0"],
  },
  { vault: "photos", folder: "/var/lib/stashlight", user: "root" },
);

test("a service writes only to its vault and its drives, gains no privileges, and runs as the given user", () => {
  expect(unit.name).toBe("stashlight-photos-stash.service");
  const lines = unit.text.split("\n");
  for (const line of [
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "CapabilityBoundingSet=",
    "User=root",
    "ReadWritePaths=/var/lib/stashlight /var/lib/stashlight/nodes/m1.stash /srv/ssd0",
    "RequiresMountsFor=/var/lib/stashlight /var/lib/stashlight/nodes/m1.stash /srv/ssd0",
    "Environment=UV_THREADPOOL_SIZE=6",
    "Restart=always",
    "RestartPreventExitStatus=3",
    "SuccessExitStatus=75",
  ])
    expect(lines).toContain(line);
  expect(unit.text).toContain('"/opt/stash light/100%%/main.ts"');
});

test("systemd accepts the unit, if systemd is installed", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-unit-"));
  const path = join(folder, unit.name);
  writeFileSync(path, unit.text);
  try {
    const { stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", path]);
    expect(stderr.split("\n").filter((line) => line.includes(unit.name))).toEqual([]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") context.skip("systemd-analyze is not installed");
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
});
