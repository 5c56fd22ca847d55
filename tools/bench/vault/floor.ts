/**
 * The floor under the vault: one process that does only the physical work of uploads. It appends the same bytes to 20
 * pod files, and to 20 stash files that are synced by group commit, and waits for 19 of 20. There is no network, no
 * hashing, no encoding and no protocol. `floor.ts FOLDER BODY_BYTES CONNECTIONS SECONDS` prints puts per second.
 */
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";

const FILE_BYTES = 67_108_864;
const SHARD_COUNT = 20;
const DATA_SHARD_COUNT = 16;
const QUORUM = 19;

/** A file created once and overwritten from its start repeatedly, like segments. */
class Slate {
  readonly #file: FileHandle;
  readonly #isSynced: boolean;
  #offset = 0;
  #waiting: { readonly bytes: Uint8Array; readonly done: () => void }[] = [];
  #isBusy = false;
  #committing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, isSynced: boolean) {
    this.#file = file;
    this.#isSynced = isSynced;
  }

  append(bytes: Uint8Array): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ bytes, done });
      if (!this.#isBusy) this.#committing = this.#commit();
    });
  }

  async #commit(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const length = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (this.#offset + length > FILE_BYTES) this.#offset = 0;
      await this.#file.writev(
        batch.map(({ bytes }) => bytes),
        this.#offset,
      );
      this.#offset += length;
      if (this.#isSynced) await this.#file.datasync();
      for (const { done } of batch) done();
    }
    this.#isBusy = false;
  }

  /** Closes the file once pending appends without a waiter, such as those of a twentieth shard, are written. */
  async close(): Promise<void> {
    await this.#committing;
    await this.#file.close();
  }
}

async function makeSlate(path: string, isSynced: boolean): Promise<Slate> {
  const file = await open(path, "w+");
  const zeros = new Uint8Array(1_048_576);
  for (let offset = 0; offset < FILE_BYTES; offset += zeros.length) {
    await file.write(zeros, 0, zeros.length, offset);
  }
  await file.sync();
  return new Slate(file, isSynced);
}

/** Resolves when `count` of the promises have; the others continue. */
function first(count: number, promises: readonly Promise<void>[]): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    for (const promise of promises) {
      void promise.then(() => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });
}

async function main(): Promise<void> {
  const [folder = "", bodyBytes, connections, seconds] = process.argv.slice(2);
  const shard = new Uint8Array(Math.ceil(Number(bodyBytes) / DATA_SHARD_COUNT)).fill(7);
  await mkdir(folder, { recursive: true });
  const slates = (kind: string, isSynced: boolean) =>
    Promise.all(
      Array.from({ length: SHARD_COUNT }, (_, i) => makeSlate(join(folder, `${kind}-${i}`), isSynced)),
    );
  const [pods, stash] = [await slates("pod", false), await slates("stash", true)];
  const put = async (): Promise<void> => {
    const written = pods.map((slate) => slate.append(shard));
    const durable = stash.map((slate) => slate.append(shard));
    await Promise.all([first(QUORUM, written), first(QUORUM, durable)]);
  };
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await put();
  const startMs = performance.now();
  const endMs = startMs + Number(seconds) * 1000;
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await put();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(connections) }, worker));
  const putsPerSecond = (count * 1000) / (performance.now() - startMs);
  process.stdout.write(`${JSON.stringify({ putsPerSecond })}\n`);
  await Promise.all([...pods, ...stash].map((slate) => slate.close()));
  await rm(folder, { recursive: true });
}

await main();
