/**
 * One round of the demo load: writes a backup under the keys of one slot, checks one of its blocks, and deletes the
 * backup in the other slot. So there is always one whole backup, every byte is freed a round later, and the keys repeat
 * every other round.
 */

import { createHash } from "node:crypto";
import { demoBucket } from "@stashlight/contracts/upload";
import type { ListPage, S3Client } from "@stashlight/s3/client";
import { type BackedUpFile, listFiles, readBlocks } from "./files.ts";

export const slots = ["backup-a", "backup-b"] as const;
export type Slot = (typeof slots)[number];

export interface RoundOptions {
  readonly client: S3Client;
  readonly root: string;
  readonly folders: readonly string[];
  readonly blockBytes: number;
  /** Size limit of a backup, so that a large folder does not fill the vault. */
  readonly blockCountMax: number;
  readonly slot: Slot;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Runs a request at the allowed rate, and retries it until the vault has accepted it. */
  readonly request: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /** Resolves when the vault has space to spare. */
  readonly untilRoom: () => Promise<void>;
}

export interface RoundResult {
  readonly blockCount: number;
  readonly bytesWritten: number;
  readonly deletedKeyCount: number;
}

interface WrittenBlock {
  readonly key: string;
  readonly md5: string;
}

/** Rejects if the vault returns bytes that differ from those written. */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { blocks, files, bytesWritten } = await writeBackup(options);
  await putObject(options, `${options.slot}/manifest.json`, Buffer.from(JSON.stringify({ files, blocks })));
  await checkOne(options, blocks);
  const deletedKeyCount = await deleteOthers(options);
  return { blockCount: blocks.length, bytesWritten, deletedKeyCount };
}

async function writeBackup(options: RoundOptions) {
  const { root, folders, blockBytes, blockCountMax, slot } = options;
  const files: BackedUpFile[] = [];
  const blocks: WrittenBlock[] = [];
  let bytesWritten = 0;
  for await (const bytes of readBlocks(root, listFiles(root, folders), blockBytes, (file) =>
    files.push(file),
  )) {
    if (blocks.length === blockCountMax) break;
    const key = `${slot}/block-${String(blocks.length).padStart(5, "0")}`;
    blocks.push({ key, md5: await putObject(options, key, bytes) });
    bytesWritten += bytes.length;
  }
  return { blocks, files, bytesWritten };
}

async function putObject(options: RoundOptions, key: string, body: Buffer): Promise<string> {
  const { client, request, untilRoom } = options;
  await untilRoom();
  const md5 = md5Hex(body);
  const userMetadata = { origin: "Stashlight demo load" };
  const put = { bucket: demoBucket, key, body, check: "md5", userMetadata } as const;
  const { etag } = await request(() => client.putObject(put));
  if (etag !== md5) throw new Error(`${key} was stored with the ETag ${etag}, and its MD5 is ${md5}.`);
  return md5;
}

async function checkOne(options: RoundOptions, blocks: readonly WrittenBlock[]): Promise<void> {
  const { client, random, request } = options;
  const block = blocks[Math.floor(random() * blocks.length)];
  if (block === undefined) return;
  const { body } = await request(() => client.getObject({ bucket: demoBucket, key: block.key }));
  const md5 = md5Hex(body);
  if (md5 !== block.md5) throw new Error(`${block.key} came back with the MD5 ${md5}, not ${block.md5}.`);
}

/** Deletes all objects outside this round's slot, and returns their number. */
async function deleteOthers({ client, slot, request }: RoundOptions): Promise<number> {
  const keys: string[] = [];
  let token: string | null = null;
  do {
    const from: string | null = token;
    const page: ListPage = await request(() => client.listPage(demoBucket, { token: from }));
    keys.push(...page.objects.map(({ key }) => key).filter((key) => !key.startsWith(`${slot}/`)));
    token = page.nextToken;
  } while (token !== null);
  for (const key of keys) await request(() => client.deleteObject({ bucket: demoBucket, key }));
  return keys.length;
}

function md5Hex(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
