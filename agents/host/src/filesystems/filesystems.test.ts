import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createRecorder } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { FilesystemMetrics } from "./filesystem-metrics.ts";
import { parseMounts } from "./mounts.ts";

const mountinfo = (folder: string) => `22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
23 22 0:21 / /proc rw - proc proc rw
30 22 8:1 / ${folder} rw - xfs /dev/sda1 rw
31 22 8:1 /sub ${folder}/bound rw - xfs /dev/sda1 rw
32 22 0:44 / /tank/a\\040b rw - zfs tank/a\\040b rw
33 22 0:50 / /net rw - nfs4 server:/export rw
broken
`;

test("file systems of the machine's own drives are listed once each, at their shortest folder", () => {
  expect(parseMounts(mountinfo("/srv"))).toEqual([
    { folder: "/", device: "259:2", type: "ext4", source: "/dev/nvme0n1p2" },
    { folder: "/srv", device: "8:1", type: "xfs", source: "/dev/sda1" },
    { folder: "/tank/a b", device: "0:44", type: "zfs", source: "tank/a b" },
  ]);
});

const root = useTestFolder();
beforeEach(() => {
  mkdirSync(join(root, "self"));
});

test("a file system reports its fill level, and an unmounted one has a gap", async () => {
  const recorder = createRecorder({ nowMs: () => 0 });
  const filesystems = new FilesystemMetrics({ recorder, procFolder: root });
  const gauges = () =>
    new Map(
      recorder
        .takeWindow()
        .gauges.map(({ metric, labels, value }) => [`${metric} ${labels.filesystem}`, value] as const),
    );
  writeFileSync(join(root, "self/mountinfo"), mountinfo(root));
  await filesystems.refresh();
  const told = gauges();
  const used = told.get(`stashlight_filesystem_used_bytes ${root}`) ?? Number.NaN;
  expect(used).toBeGreaterThan(0);
  expect(told.get(`stashlight_filesystem_capacity_bytes ${root}`)).toBeGreaterThanOrEqual(used);
  expect([...told.keys()].some((key) => key.includes("/tank"))).toBe(false);
  writeFileSync(join(root, "self/mountinfo"), "");
  await filesystems.refresh();
  expect(gauges().size).toBe(0);
});
