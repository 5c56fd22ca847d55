/** Objects with too few readable shards stay listed, are reported, recover on their own, and can be given up. */
import { execFile } from "node:child_process";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { program } from "../harness/agent-process.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const bucket = "lost";
const WITHIN_MS = 120_000;
const body = (key: string): string => `bytes of ${key} `.repeat(4000);
const largeBody = (): Buffer => Buffer.alloc(4_500_000, "bytes of film ");
const SENTENCE =
  "1 of the object's 3 shards can be read and 2 are needed (damaged on p0, p1). It can be read again as soon as enough drives are back.";

const whole = (key: string): string => `bytes of ${key} bytes of ${key}`;
const damaged = (key: string): string => `bXtes of ${key} bytes of ${key}`;
/** A small object's shard is longer than this, so each of its copies in a segment is found. */
const STRIDE_BYTES = 16_384;

/**
 * Replaces one text by another in every copy of a shard, since compaction may have moved it and left the old copy.
 * Returns the number of places on the drive of each of these pods, which hold halves of unencrypted bodies.
 */
function rewrite(from: string, to: string): number[] {
  return ["pod-1", "pod-2"].map((nodeId) => {
    const node = used.vault.file.nodes.find(({ id }) => id === nodeId);
    const [drive] = node?.role === "pod" ? node.drives : [];
    const folder = join(used.vault.folder, drive?.path ?? "");
    let places = 0;
    for (const name of readdirSync(folder).filter((each) => each.startsWith("segment-"))) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      const file = openSync(path, "r+");
      for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + STRIDE_BYTES)) {
        writeSync(file, Buffer.from(to), 1, 1, at + 1);
        places++;
      }
      fsyncSync(file);
      closeSync(file);
    }
    return places;
  });
}

function damage(key: string): void {
  const places = rewrite(whole(key), damaged(key));
  if (places.includes(0)) throw new Error(`A pod holds nothing of ${key}: ${places.join(", ")} places.`);
}

const stashlight = (...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const command = [program, "vault", ...args, "--config", used.vault.configPath];
    execFile(execPath, command, { timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), text: `${stdout}${stderr}` });
    });
  });

const get = async (key: string): Promise<string> => {
  const { Body } = await used.s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return (await Body?.transformToString()) ?? "";
};
const listed = async (): Promise<(string | undefined)[]> => {
  const { Contents = [] } = await used.s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.map(({ Key }) => Key);
};

async function restartAround(work: () => void): Promise<void> {
  const { vault } = used;
  await vault.end(vault.nodeIds, "SIGTERM");
  work();
  vault.start(vault.nodeIds);
  await vault.ready();
}

/** The coordinator is asked before the command, which takes half a second of processor time to start. */
async function countLost(): Promise<number> {
  const page = await used.vault.askAdmin("coordinator-1", "/lost");
  return page === null ? -1 : (JSON.parse(page.text) as { total: number }).total;
}

/** Waits, because a search for the object's shards that began before it was given up may list it once more. */
async function expectNothingLost(): Promise<void> {
  const isNothingLost = async () => (await countLost()) === 0 && (await stashlight("lost")).code === 0;
  await until("nothing is lost", isNothingLost, WITHIN_MS, () => stashlight("lost"));
}

/** Waits, because an object is listed once the coordinator has confirmed that it still exists. */
async function expectListed(line: RegExp): Promise<void> {
  const isListed = async () => {
    if ((await countLost()) < 1) return false;
    const { code, text } = await stashlight("lost");
    return code === 1 && line.test(text);
  };
  await until(`a line like ${line} is listed`, isListed, WITHIN_MS, () => stashlight("lost"));
}

async function expectLost(key: string): Promise<void> {
  const isRefused = () =>
    get(key).then(
      () => false as const,
      (error: { name: string; message: string; $metadata: { httpStatusCode?: number } }) => error,
    );
  const refusal = await until(`${key} is known to be lost`, isRefused, WITHIN_MS);
  expect(refusal).toMatchObject({
    name: "ObjectUnreadable",
    message: SENTENCE,
    $metadata: { httpStatusCode: 503 },
  });
  const head = await used.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  expect(head.ContentLength).toBe(body(key).length);
  expect(await listed()).toContain(key);
}

test("an object beyond repair stays listed and is reported across restarts, and is readable once its bytes are back", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (const key of ["cat", "dog", "owl"]) {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body(key) }));
  }
  await vault.drained();
  expect(await stashlight("lost")).toMatchObject({ code: 0 });
  await restartAround(() => damage("cat"));
  await expectLost("cat");
  await restartAround(() => {});
  await expectLost("cat");
  await expectListed(/^lost\/cat .* 1 of 3 shards readable, 2 needed; damaged on p0, p1$/m);
  const verified = await stashlight("verify", "--bucket", bucket);
  expect(verified).toMatchObject({ code: 1, text: expect.stringContaining("2 right, 1 lost (1 unreadable") });
  expect(verified.text).toContain("  lost: lost/cat: 1 of 3 shards readable, 2 needed; damaged on p0, p1");
  const metrics = (await vault.askAdmin("coordinator-1", "/metrics"))?.text ?? "";
  expect(metrics).toMatch(/^stashlight_objects_lost(\{.*\})? 1$/m);
  const isBack = () => {
    // Also restores a copy that compaction has made meanwhile.
    rewrite(damaged("cat"), whole("cat"));
    return get("cat").then(
      (text) => text,
      () => null,
    );
  };
  expect(await until("it can be read", isBack, WITHIN_MS)).toBe(body("cat"));
  await expectNothingLost();
});

test("an object that an operator gives up is gone, and the audit log names the operator", async () => {
  const { vault, s3 } = used;
  const readable = await stashlight("give-up", "lost/dog", "--yes");
  expect(readable).toMatchObject({ code: 2, text: expect.stringContaining("lost/dog can be read") });
  await restartAround(() => damage("dog"));
  await expectLost("dog");
  const { ETag } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: "dog" }));
  expect(await stashlight("give-up", "lost/dog")).toMatchObject({
    code: 2,
    text: expect.stringContaining("--yes"),
  });
  const given = await stashlight("give-up", "lost/dog", "--yes");
  expect(given).toMatchObject({ code: 0, text: expect.stringContaining("lost/dog is given up") });
  expect(await listed()).toEqual(["cat", "owl"]);
  await expect(get("dog")).rejects.toMatchObject({ name: "NoSuchKey" });
  await expectNothingLost();
  const node = vault.file.nodes.find(({ role }) => role === "coordinator");
  const path = join(vault.folder, node?.stateFolder ?? "", "audit.log");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    ["asked", "given up"].map((result) => ({
      action: "object.give-up",
      result,
      bucket,
      key: "dog",
      etag: ETag?.replaceAll('"', ""),
      readableCount: 1,
      neededCount: 2,
      operator: { user: expect.stringMatching(/./) },
    })),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(vault.output()).toContain("an operator gives up an object that cannot be read");
  const held = async () => (await vault.askAdmin("pod-3", "/uploads?bucket=lost&key=dog"))?.text ?? "";
  const isDropped = async () => !(await held()).includes('"kind":"object"');
  await until("its last shard is dropped", isDropped, WITHIN_MS, held);
});

test("a large object with a lost piece is listed under its own name, and given up as a whole", async () => {
  const { vault, s3 } = used;
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: "film", Body: largeBody() }));
  await vault.drained();
  await restartAround(() => damage("film"));
  await until(
    "its download breaks off",
    () =>
      get("film").then(
        () => false,
        () => true,
      ),
    WITHIN_MS,
  );
  await expectListed(/^lost\/film \((a piece|\d pieces) of it\) .* 1 of 3 shards readable, 2 needed/m);
  expect((await stashlight("verify", "--bucket", bucket)).text).toContain(
    "  lost: lost/film: of a piece 1 of 3 shards readable, 2 needed; damaged on p0, p1",
  );
  expect(await stashlight("give-up", "lost/film", "--yes")).toMatchObject({ code: 0 });
  expect(await listed()).toEqual(["cat", "owl"]);
});
