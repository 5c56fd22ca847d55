import { existsSync, statSync } from "node:fs";
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { scratchFolder } from "../harness/agent-process.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

/** Each stash process has one drive; the pods share theirs. */
const used = useVault({ processes: "one a node", podNodeCount: 1 });
const WITHIN_MS = 45_000;

/** The kernel counts no device for an overlay or a tmpfs. */
function isOnBlockDevice(): boolean {
  const { dev } = statSync(scratchFolder);
  return existsSync(`/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}/stat`);
}

async function readDeviceSeries(nodeId: string): Promise<Map<string, number>> {
  const text = (await used.vault.askAdmin(nodeId, "/metrics"))?.text ?? "";
  const lines = text.match(/^stashlight_device_\S+ \S+$/gm) ?? [];
  return new Map(
    lines.map((line) => line.split(" ") as [string, string]).map(([name, n]) => [name, Number(n)]),
  );
}

test("a device reports the writes of its only drive, and none if drives share it", async ({ skip }) => {
  const { vault, s3 } = used;
  if (!isOnBlockDevice()) skip("the drives are on no block device");
  const [stash = ""] = vault.nodeIdsOf("stash");
  const [pod = ""] = vault.nodeIdsOf("pod");
  await s3.send(new CreateBucketCommand({ Bucket: "devices" }));
  const bytesName = 'stashlight_device_written_bytes_total{tier="stash",device="s0"}';
  await until(
    "the stash reports its device",
    async () => (await readDeviceSeries(stash)).has(bytesName),
    WITHIN_MS,
  );
  const Body = Buffer.alloc(200_000);
  let puts = 0;
  await until(
    "the device has taken what was uploaded",
    async () => {
      await s3.send(new PutObjectCommand({ Bucket: "devices", Key: `${puts++}`, Body }));
      return ((await readDeviceSeries(stash)).get(bytesName) ?? 0) > Body.length / 2;
    },
    WITHIN_MS,
    () => readDeviceSeries(stash),
  );
  const writes = (await readDeviceSeries(stash)).get(
    'stashlight_device_writes_total{tier="stash",device="s0"}',
  );
  expect(writes).toBeGreaterThan(0);
  const ofPods = [...(await readDeviceSeries(pod)).keys()];
  expect(ofPods.filter((name) => /^stashlight_device_(?:writes|written)_/.test(name))).toEqual([]);
});
