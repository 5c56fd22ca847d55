/** Tests that records that rot on a drive are found by a scrub, reported by every means, and repaired. */
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const bucket = "scrubbed";
const OBJECTS = 8;
const WITHIN_MS = 120_000;
const body = (number: number): string => `object ${number} `.repeat(4000);

interface Scrubbed {
  readonly damage: { readonly corruptCount: number | null; readonly corruptTotal: number };
  readonly scrub: {
    readonly isOnDemand: boolean;
    readonly startedAtMs: number;
    readonly last: { readonly recordsVerified: number; readonly corruptCount: number } | null;
  };
}

async function scrub(method: "GET" | "POST", body?: object): Promise<Scrubbed> {
  const post = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await used.vault.askAdmin("pod-1", "/scrub", method === "POST" ? post : {});
  const [drive] = (JSON.parse(answer?.text ?? "") as { drives: Scrubbed[] }).drives;
  if (drive === undefined) throw new Error(`The node reports no drive: ${answer?.text}`);
  return drive;
}

/** Changes one byte of each copy of this text on the drive of pod 0, and returns the number of copies. */
function rot(text: string): number {
  const node = used.vault.file.nodes.find(({ id }) => id === "pod-1");
  const [drive] = node?.role === "pod" ? node.drives : [];
  const folder = join(used.vault.folder, drive?.path ?? "");
  let places = 0;
  for (const name of readdirSync(folder).filter((each) => each.startsWith("segment-"))) {
    const path = join(folder, name);
    const at = readFileSync(path).indexOf(text);
    if (at < 0) continue;
    const file = openSync(path, "r+");
    writeSync(file, Buffer.from("X"), 0, 1, at + 1);
    closeSync(file);
    places++;
  }
  return places;
}

test("a scrub on demand finds a rotten record, which is repaired, counted and logged", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (let number = 0; number < OBJECTS; number++) {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${number}`, Body: body(number) }));
  }
  await vault.drained();
  // In this vault of 2+1, pod 0 has the unencrypted first half of each object.
  expect(rot("object 5 object 5 object 5")).toBe(1);
  const asked = await scrub("POST", { action: "start", bytesPerSecond: 1e9 });
  const isFound = async () => {
    const { scrub: now, damage } = await scrub("GET");
    return !now.isOnDemand && damage.corruptTotal === 1 && damage.corruptCount === 0 && now;
  };
  const ended = await until("the record is found and repaired", isFound, WITHIN_MS, () => scrub("GET"));
  expect(ended.last).toMatchObject({ startedAtMs: asked.scrub.startedAtMs, corruptCount: 1 });
  expect(ended.last?.recordsVerified).toBeGreaterThanOrEqual(OBJECTS - 1);
  const metrics = (await vault.askAdmin("pod-1", "/metrics"))?.text ?? "";
  expect(metrics).toMatch(/^stashlight_records_corrupt_total\{.*device="p0".*\} 1$/m);
  expect(metrics).toMatch(/^stashlight_drive_corrupt_records\{.*device="p0".*\} 0$/m);
  expect(metrics).toMatch(/^stashlight_scrub_oldest_unverified_seconds\{.*device="p0".*\} \d/m);
  const isLogged = async () => /"corruptCount":1.*fail their checksum/.test(vault.output());
  await until("the agent logs it", isLogged, WITHIN_MS, () => vault.output());
  for (let number = 0; number < OBJECTS; number++) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${number}` }));
    expect(await Body?.transformToString()).toBe(body(number));
  }
});

test("a requested scrub survives the kill of its agent", async () => {
  const { vault } = used;
  const asked = await scrub("POST", { action: "start", bytesPerSecond: 10_000 });
  expect(asked.scrub.isOnDemand).toBe(true);
  await until("its place is saved", async () => savedDemand() === 10_000, WITHIN_MS, savedDemand);
  await vault.kill(["pod-1"]);
  vault.start(vault.nodeIdsOf("pod"));
  await vault.ready();
  expect((await scrub("GET")).scrub).toMatchObject({ ...asked.scrub, isOnDemand: true, ...anyProgress });
  expect(savedDemand()).toBe(10_000);
  expect((await scrub("POST", { action: "stop" })).scrub.isOnDemand).toBe(false);
});

/** Figures that keep changing while the vault runs. */
const anyProgress = {
  // The part of the requested rate that other work on the disk leaves.
  bytesPerSecond: expect.any(Number),
  recordsVerified: expect.any(Number),
  bytesVerified: expect.any(Number),
  bytesVerifiedTotal: expect.any(Number),
  bytesTotal: expect.any(Number),
  secondsLeft: expect.anything(),
  oldestUnverifiedSeconds: expect.any(Number),
};

function savedDemand(): number | null {
  const file = join(used.vault.folder, "pod-1/state/p0/scrub");
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as { demand: { bytesPerSecond: number } | null };
    return state.demand?.bytesPerSecond ?? null;
  } catch {
    return null;
  }
}
