/**
 * Fills the pods of a stopped vault: `fill.ts VAULT_FILE BUCKET OBJECT_COUNT BODY_BYTES`. The records equal those of
 * uploads, but a log receives many of them with one write, so that a million shards take seconds.
 */
import assert from "node:assert/strict";
import { openDrive } from "@stashlight/node-runtime";
import { loadVaultFile, type VaultFile } from "@stashlight/node-runtime/config";
import { checksum, encodeBody, type PodAnswers, ShardStore } from "@stashlight/shard-store";
import { createUploadId, formatOrder, type UploadHeader } from "@stashlight/write-path";
import { keyOf } from "./filled-keys.ts";

/** Number of shards given to a log before waiting for it. */
const SHARDS_AT_A_TIME = 2000;
const FIRST_ORDER_MS = Date.UTC(2026, 0, 1);

class PodFill {
  readonly podIndex: number;
  readonly #store: ShardStore;
  readonly #close: () => Promise<void>;
  #pendingCount = 0;
  #whenIdle: () => void = () => {};

  private constructor(podIndex: number, store: ShardStore, close: () => Promise<void>) {
    this.podIndex = podIndex;
    this.#store = store;
    this.#close = close;
  }

  static async open(
    file: VaultFile,
    drive: Parameters<typeof openDrive>[0]["drive"] & { pod: number },
  ): Promise<PodFill> {
    const { opened, close } = await openDrive({ file, drive, policy: "extents", mayFormat: false });
    const ended = () => fill.#ended();
    const answers: PodAnswers = {
      machine: "pod",
      appended: (_uploadId, _shardIndex, position) => {
        fill.#store.remember(position, "complete");
        fill.#ended();
      },
      flushed: ended,
      appendFailed: (_uploadId, _shardIndex, reason) => assert.fail(`A shard was not taken: ${reason}.`),
      flushFailed: () => assert.fail("A flush failed."),
      corrupt: () => assert.fail("A shard is corrupt."),
      unreadable: () => assert.fail("A shard cannot be read."),
      loaded: () => {},
      refusalPersisted: () => {},
      horizonPersisted: () => {},
      room: () => {},
    };
    const { store } = ShardStore.start({
      opened,
      answers,
      defer: setImmediate,
      after: () => {},
      fullAtShare: 1,
      relievedAtShare: 1,
    });
    const fill = new PodFill(drive.pod, store, close);
    return fill;
  }

  append(upload: UploadHeader, payload: Uint8Array): void {
    this.#pendingCount += 1;
    const { podIndex: shardIndex } = this;
    this.#store.append({ upload, shardIndex, payload, payloadCrc: checksum(payload) }, "data");
  }

  #ended(): void {
    this.#pendingCount -= 1;
    if (this.#pendingCount === 0) this.#whenIdle();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#pendingCount === 0) resolve();
      else this.#whenIdle = resolve;
    });
  }

  /** Closes the store in the state of a vault that knows how its uploads ended. */
  async close(): Promise<void> {
    await this.idle();
    this.#pendingCount += 1;
    this.#store.writeOutcomes();
    this.#store.flush();
    await this.idle();
    await this.#close();
  }
}

interface Filling {
  readonly bucket: string;
  readonly objectCount: number;
  readonly sizeBytes: number;
}

function makeUpload({ scheme, epoch }: VaultFile, filling: Filling, number: number): UploadHeader {
  const { bucket, objectCount, sizeBytes } = filling;
  const createdMs = FIRST_ORDER_MS + number;
  return {
    // Multiplying by an odd number permutes the numbers below 2^32.
    uploadId: createUploadId(createdMs, (count) => repeatedWord(Math.imul(number, 0x85ebca6b), count)),
    kind: "object",
    bucket,
    key: keyOf(number, objectCount),
    order: formatOrder(createdMs, 0, 1),
    scheme,
    sizeBytes,
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "application/octet-stream",
    userMetadata: {},
    epoch,
  };
}

function repeatedWord(word: number, byteCount: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(word);
  return Buffer.alloc(byteCount, bytes);
}

async function main(): Promise<void> {
  const [path = "", bucket = "", count, bodyBytes] = process.argv.slice(2);
  const body = new Uint8Array(Number(bodyBytes)).fill(0x2a);
  const filling = { bucket, objectCount: Number(count), sizeBytes: body.length };
  const file = loadVaultFile(path);
  const drives = file.nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  const pods = await Promise.all(drives.map((drive) => PodFill.open(file, drive)));
  const payloads = encodeBody(body, file.scheme);
  for (let number = 0; number < filling.objectCount; number += 1) {
    const upload = makeUpload(file, filling, number);
    for (const pod of pods) pod.append(upload, payloads[pod.podIndex] as Uint8Array);
    if (number % SHARDS_AT_A_TIME === 0) await Promise.all(pods.map((pod) => pod.idle()));
  }
  await Promise.all(pods.map((pod) => pod.close()));
}

await main();
