/** The index of a vault's objects fills the memory that its agents may use, while the drives have space. */
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { promisify } from "node:util";
import { CreateBucketCommand, DeleteObjectsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { program } from "../harness/agent-process.ts";
import { outcomeName } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";
import { repeatUntil, until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "many";
const WITHIN_MS = 240_000;
/** Most of an entry's bytes, so that a few thousand objects fill the memory. */
const Metadata = { note: "m".repeat(1900) };
const AT_A_TIME = 16;
const DELETED_AT_A_TIME = 200;
const keyAt = (number: number) => `${number}-${"k".repeat(900)}`;

const used = useVault({
  // The cache takes more than the memory, so no part of the index leaves it.
  args: ["--index-memory", "128", "--index-cache", "1024"],
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 24 },
  amend: (file) => ({ ...file, collection: { graceMs: 1000 } }),
});

const put = (Key: string) => used.s3.send(new PutObjectCommand({ Bucket, Key, Metadata, Body: "x" }));

async function readStatus(): Promise<string> {
  const args = [program, "vault", "status", "--config", used.vault.configPath];
  // A vault with problems ends the command with another code.
  const ended = await promisify(execFile)(execPath, args).catch((error: { stdout: string }) => error);
  return ended.stdout;
}

test("a full index refuses new objects with the reason, is shown in vault status, and takes them after deletions", {
  timeout: 4 * WITHIN_MS,
}, async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
  const stored: string[] = [];
  let refusal: { readonly name: string; readonly message: string } | null = null;
  await repeatUntil(
    "the index is full",
    async () => {
      const keys = Array.from({ length: AT_A_TIME }, (_, at) => keyAt(stored.length + at));
      const ends = await Promise.allSettled(keys.map(put));
      for (const [at, end] of ends.entries()) {
        if (end.status === "fulfilled") stored.push(keys[at] as string);
        else if (end.reason.name === "InsufficientStorage") refusal = end.reason as Error;
      }
      return refusal !== null;
    },
    WITHIN_MS,
    () => stored.length,
  );
  expect(refusal).toMatchObject({
    $metadata: { httpStatusCode: 507 },
    message: "The vault has too little free space for this. Delete objects or add capacity.",
  });
  await until(
    "vault status shows the full index",
    async () => (await readStatus()).includes("its pods have no memory left for index entries"),
    WITHIN_MS,
    readStatus,
  );

  for (let at = 0; at < stored.length; at += DELETED_AT_A_TIME) {
    let left = stored.slice(at, at + DELETED_AT_A_TIME);
    await until(
      `objects from ${at} on are deleted`,
      async () => {
        const Delete = { Objects: left.map((Key) => ({ Key })), Quiet: true };
        const { Errors = [] } = await used.s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
        left = Errors.flatMap(({ Key }) => Key ?? []);
        return left.length === 0;
      },
      WITHIN_MS,
      () => left.length,
    );
  }
  await until("an upload is taken", async () => (await outcomeName(put("again"))) === "done", WITHIN_MS);
});
