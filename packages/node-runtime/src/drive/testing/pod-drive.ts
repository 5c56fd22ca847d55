/** Shards and failing reads for tests of a pod's drive. */
import { createCrc32c } from "@stashlight/checksum";
import { type Disk, DiskError, type DiskFile } from "@stashlight/shard-log";
import type { PodAnswers } from "@stashlight/shard-store";
import type { Shard, VaultConfig } from "@stashlight/write-path";

const SCHEME = { dataShardCount: 4, parityShardCount: 2 };
export const PAYLOAD_BYTES = 4000;
const crc32c = createCrc32c();

export const podConfig: VaultConfig = {
  epoch: 1,
  scheme: SCHEME,
  coordinatorCount: 1,
  stashDevices: [],
  podDriveIds: Array.from({ length: 6 }, (_, at) => `d${at}`),
};

/** A shard of pod 0, whose payload begins with the text "payload <number> ". */
export function makeShard(number: number): Shard {
  const payload = Buffer.from(`payload ${number} `.padEnd(PAYLOAD_BYTES, "x"));
  const hex = number.toString(16);
  const upload = {
    uploadId: hex.padStart(32, "0"),
    kind: "object",
    bucket: "photos",
    key: `${number}.jpg`,
    order: hex.padStart(24, "0"),
    scheme: SCHEME,
    sizeBytes: PAYLOAD_BYTES,
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "image/jpeg",
    userMetadata: {},
    epoch: 1,
  } as const;
  return { upload, shardIndex: 0, payload, payloadCrc: crc32c(payload) };
}

const ignore = (): void => {};

/** Answers of a store without a machine. */
export const ignoredAnswers: PodAnswers = {
  machine: "pod",
  appended: ignore,
  appendFailed: ignore,
  corrupt: ignore,
  unreadable: ignore,
  loaded: ignore,
  flushed: ignore,
  flushFailed: ignore,
  refusalPersisted: ignore,
  horizonPersisted: ignore,
  room: ignore,
};

/** Decides whether a read of these bytes of a file fails. */
export type IsReadFailing = (file: string, offset: number, bytes: number) => boolean;

/** Returns the disk with reads that fail. */
export function failingReads(disk: Disk, isFailing: IsReadFailing): Disk {
  const failing =
    (name: string, read: DiskFile["read"]): DiskFile["read"] =>
    (offset, target, done) =>
      read(offset, target, (failed) =>
        done(isFailing(name, offset, target.length) ? new DiskError("io", "EIO") : failed),
      );
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, done),
    open: (name, done) =>
      disk.open(name, (error, file) =>
        done(
          error,
          file && {
            sizeBytes: file.sizeBytes,
            write: (offset, bytes, ended) => file.write(offset, bytes, ended),
            sync: (ended) => file.sync(ended),
            read: failing(name, (offset, target, ended) => file.read(offset, target, ended)),
            readDirect: failing(name, (offset, target, ended) => file.readDirect(offset, target, ended)),
            close: (ended) => file.close(ended),
          },
        ),
      ),
  };
}
