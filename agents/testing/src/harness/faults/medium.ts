/**
 * Reads the records of a drive from its medium, without the agent that wrote them. Bits of a record may be flipped
 * there while the agent runs.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createCrc32c } from "@stashlight/checksum";
import {
  decodeHeaderPage,
  findRecords,
  frameAt,
  type Identity,
  makeIdentity,
  PAGE_BYTES,
  RECORD_HEADER_BYTES,
} from "@stashlight/shard-log/image";
import type { TestVault } from "../vault.ts";
import { drivePath } from "./file-faults.ts";

export interface MediumRecord {
  readonly path: string;
  /** Offset of the header in the file. */
  readonly offset: number;
  readonly lsn: number;
  readonly uploadId: string;
  readonly shardIndex: number;
  readonly headBytes: number;
  readonly payloadBytes: number;
  /** Null if it fails its checksum. */
  readonly payload: Buffer | null;
}

const crc32c = createCrc32c();

/** Returns all copies of a shard on this drive that have a valid header, newest first. */
export function findCopies(
  vault: TestVault,
  address: string,
  { uploadId, shardIndex }: { readonly uploadId: string; readonly shardIndex: number },
): MediumRecord[] {
  const identity = driveIdentity(vault, address);
  const folder = join(vault.folder, drivePath(vault, address));
  return readdirSync(folder)
    .filter((name) => name.startsWith("segment-"))
    .flatMap((name) => readSegment(identity, join(folder, name)))
    .filter((record) => record.uploadId === uploadId && record.shardIndex === shardIndex)
    .sort((a, b) => b.lsn - a.lsn);
}

function driveIdentity({ file }: TestVault, address: string): Identity {
  for (const node of file.nodes) {
    if (node.role === "coordinator") continue;
    for (const drive of node.drives) {
      if (address !== ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`)) continue;
      return makeIdentity(Buffer.from(file.clusterId, "hex"), Buffer.from(drive.driveId, "hex"), crc32c);
    }
  }
  throw new Error(`The vault has no drive ${address}.`);
}

function readSegment(identity: Identity, path: string): MediumRecord[] {
  const bytes = readFileSync(path);
  const head = decodeHeaderPage(identity, bytes.subarray(0, PAGE_BYTES));
  if (head.state !== "good") return [];
  const { generation } = head.page;
  const records: MediumRecord[] = [];
  for (let at = PAGE_BYTES; at < bytes.length - PAGE_BYTES; ) {
    const frame = frameAt(identity, bytes, at, at, generation, bytes.length);
    if (frame === null) {
      at += PAGE_BYTES;
      continue;
    }
    for (const { header, payload } of findRecords(identity, frame, bytes.subarray(at, at + frame.bytes))) {
      if (header.type !== "shard") continue;
      const { lsn, offset, shardIndex, metaBytes, payloadBytes } = header;
      records.push({
        path,
        offset,
        lsn,
        uploadId: Buffer.from(header.uploadId).toString("hex"),
        shardIndex,
        headBytes: RECORD_HEADER_BYTES + metaBytes,
        payloadBytes,
        payload: payload === null ? null : Buffer.from(payload),
      });
    }
    at += Math.ceil(frame.bytes / PAGE_BYTES) * PAGE_BYTES;
  }
  return records;
}

/** Flips these bits of the record, counted from its first bit; a second call with the same bits restores it. */
export function flipBits({ path, offset }: MediumRecord, bits: readonly number[]): void {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  for (const bit of bits) {
    const at = offset + Math.floor(bit / 8);
    readSync(file, byte, 0, 1, at);
    byte[0] = (byte[0] as number) ^ (1 << (bit % 8));
    writeSync(file, byte, 0, 1, at);
  }
  fsyncSync(file);
  closeSync(file);
}
