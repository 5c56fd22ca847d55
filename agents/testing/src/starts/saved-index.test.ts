/** Pods continue with the index that a stop or a checkpoint saved, and read their logs whenever that is in doubt. */
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const START_WITHIN_MS = 120_000;
const Bucket = "stops";
const keys = new Set(Array.from({ length: 60 }, (_, number) => `object-${100 + number}`));
const bodyOf = (key: string) => `body of ${key}`.repeat(300);

const used = useVault({ processes: "one" });

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
  await Promise.all([...keys].map(put));
  await used.vault.drained();
}, START_WITHIN_MS);

const put = (Key: string) => used.s3.send(new PutObjectCommand({ Bucket, Key, Body: bodyOf(Key) }));

interface Opening {
  readonly isIndexResumed: boolean;
  readonly scanReason: string | null;
}

/** Files of the pods' indexes. */
function indexFiles() {
  const drives = used.vault.file.nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  return drives.map(({ driveId, path }) => ({
    root: join(used.vault.folder, path, `index-${driveId}.root`),
    pages: join(used.vault.folder, path, `index-${driveId}.partial`),
  }));
}

async function stop(): Promise<void> {
  expect(await used.vault.end(used.vault.nodeIds, "SIGTERM")).toEqual([0]);
  for (const { root } of indexFiles()) expect(existsSync(root)).toBe(true);
}

/** Starts all nodes, checks that no object is missing, and returns how the pods' drives were opened. */
async function start(): Promise<Opening[]> {
  const { vault, s3 } = used;
  vault.start(vault.nodeIds);
  await vault.ready();
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents?.map(({ Key }) => Key)).toEqual([...keys].sort());
  const check = async (Key: string) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(String(await readBody(Body))).toBe(bodyOf(Key));
  };
  await Promise.all([...keys].map(check));
  return readOpenings();
}

/** Reads the log of the process that runs. */
function readOpenings(): Opening[] {
  const output = used.vault.output().split(/^--- /m).at(-1) ?? "";
  const lines = output.split("\n").filter((line) => line.includes('"drive opened"'));
  const openings: (Opening & { readonly role: string })[] = lines.map((line) => JSON.parse(line));
  return openings.filter(({ role }) => role === "pod");
}

const CONTINUED: Opening = { isIndexResumed: true, scanReason: null };
const ofLog = (scanReason: string) => ({
  isIndexResumed: false,
  scanReason: expect.stringContaining(scanReason),
});
const onEachPod = (opening: object) => indexFiles().map(() => expect.objectContaining(opening));

test("pods continue with the index of a planned stop", { timeout: 2 * START_WITHIN_MS }, async () => {
  await stop();
  expect(await start()).toEqual(onEachPod(CONTINUED));
});

/** Waits for the first checkpoint of all pods, which comes some seconds after their start. */
const checkpointed = () =>
  until(
    "all pods have a checkpoint",
    () => indexFiles().every(({ root }) => existsSync(root)),
    START_WITHIN_MS,
  );

test("pods continue from their checkpoints after a kill, with what was written and deleted since", {
  timeout: 4 * START_WITHIN_MS,
}, async () => {
  await checkpointed();
  for (let number = 0; number < 20; number++) {
    const [added, deleted] = [`object-${200 + number}`, `object-${100 + number}`];
    await put(added);
    await used.s3.send(new DeleteObjectCommand({ Bucket, Key: deleted }));
    keys.add(added);
    keys.delete(deleted);
  }
  await used.vault.kill();
  expect(await start()).toEqual(onEachPod(CONTINUED));
  // Once more, from the checkpoint of a boot that continued from one.
  await checkpointed();
  await put("object-300");
  keys.add("object-300");
  await used.vault.kill();
  expect(await start()).toEqual(onEachPod(CONTINUED));
});

test("pods read their logs after a kill without a checkpoint", { timeout: 2 * START_WITHIN_MS }, async () => {
  await used.vault.kill();
  for (const { root } of indexFiles()) rmSync(root, { force: true });
  expect(await start()).toEqual(onEachPod(ofLog("none was saved")));
});

function changeByte(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

type IndexFiles = ReturnType<typeof indexFiles>[number];

test.each<[string, string, (files: IndexFiles) => void]>([
  ["a byte of the root has changed", "its root fails its checksum", ({ root }) => changeByte(root)],
  ["the pages are cut short", "its file is shorter than it was", ({ pages }) => truncateSync(pages, 4096)],
  ["the pages are missing", "its file cannot be opened", ({ pages }) => rmSync(pages)],
])(
  "pods read their logs and miss no object if %s",
  {
    timeout: 2 * START_WITHIN_MS,
  },
  async (_case, reason, damage) => {
    await stop();
    for (const files of indexFiles()) damage(files);
    expect(await start()).toEqual(onEachPod(ofLog(reason)));
  },
);

test("pods read their logs and miss no object if the root of an earlier stop comes back", {
  timeout: 3 * START_WITHIN_MS,
}, async () => {
  await stop();
  for (const { root } of indexFiles()) copyFileSync(root, `${root}.earlier`);
  expect(await start()).toEqual(onEachPod(CONTINUED));
  await stop();
  for (const { root } of indexFiles()) copyFileSync(`${root}.earlier`, root);
  expect(await start()).toEqual(onEachPod(ofLog("the log was opened after it was saved")));
});
