/** Coordinators of one vault in memory, on a manual clock. */
import {
  DEFAULT_OWNER,
  type ObjectStore,
  type PutObject,
  type StoreContext,
  type UploadBody,
} from "@stashlight/s3";
import { VaultKeyring } from "../../encryption/vault-keyring.ts";
import { PIECES } from "../../records/pieces.ts";
import { createObjectStore } from "../../store/object-store.ts";
import { createSpace, type SpaceParts } from "../garbage-collection.ts";
import { type SpaceTiming, spaceTiming } from "../timing.ts";
import { MemoryVault } from "./memory-vault.ts";

export const PIECE_BYTES = 10;
export const BUCKET = "photos";
const STEP_MS = 1000;

export const context = {
  requestId: "R",
  principal: { accessKey: { id: "K", owner: DEFAULT_OWNER } },
} as StoreContext;
const attributes = { contentType: "", contentHeaders: {}, userMetadata: {}, tags: [] };
const encryption = { kind: "default" } as const;

export interface TestCoordinator extends SpaceParts {
  readonly store: ObjectStore;
  /** Errors from collecting and sweeping. */
  readonly failures: unknown[];
}

export class Coordinators {
  readonly vault = new MemoryVault();
  readonly timing: SpaceTiming = spaceTiming();
  /** The running coordinators. */
  readonly #running = new Set<TestCoordinator>();
  nowMs = 1_000_000;

  static async start(): Promise<{ coordinators: Coordinators; first: TestCoordinator }> {
    const coordinators = new Coordinators();
    const first = coordinators.add();
    await first.store.createBucket(context, { bucket: BUCKET });
    return { coordinators, first };
  }

  add({
    pieceBytes = PIECE_BYTES,
    file = { clusterId: "" },
  }: {
    readonly pieceBytes?: number;
    readonly file?: ConstructorParameters<typeof VaultKeyring>[0]["file"];
  } = {}): TestCoordinator {
    const { vault, timing } = this;
    const failures: unknown[] = [];
    const nowMs = () => this.nowMs;
    const onFailure = (error: unknown) => failures.push(error);
    const parts = createSpace({ vault, timing, nowMs, isBusy: () => false, onFailure });
    const { space } = parts;
    const store = createObjectStore({
      space,
      keyring: new VaultKeyring({ file, nowMs }),
      pieceBytes,
      smallUploadBytesMax: PIECE_BYTES,
      countCoordinators: () => 1,
      freeBytes: () => 0,
      isDirect: () => false,
      nowMs,
    });
    const coordinator = { ...parts, store, failures };
    this.#running.add(coordinator);
    return coordinator;
  }

  kill(coordinator: TestCoordinator): void {
    this.#running.delete(coordinator);
  }

  /** Advances the clock, and lets every coordinator do its periodic work. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    while (this.nowMs < endMs) {
      this.nowMs = Math.min(endMs, this.nowMs + STEP_MS);
      for (const { holds, collector, sweep, failures } of this.#running) {
        await holds.refresh();
        while (await collector.turn());
        await sweep.step().catch((error) => failures.push(error));
      }
    }
  }

  get pieceKeys(): string[] {
    return this.vault.keysIn(PIECES);
  }
}

export function streamOf(body: string, breaksAfter = body.length): UploadBody {
  return {
    kind: "stream",
    sizeBytesMax: body.length,
    chunks: chunksOf(body, breaksAfter),
    verify: async () => ({ etag: `etag of ${body}`, checksum: null }),
  };
}

async function* chunksOf(body: string, breaksAfter: number): AsyncGenerator<Buffer> {
  yield Buffer.from(body.slice(0, breaksAfter));
  if (breaksAfter < body.length) throw new Error("The client is gone.");
}

export function put(
  coordinator: TestCoordinator,
  key: string,
  body: string | UploadBody,
  precondition: PutObject["precondition"] = { kind: "none" },
) {
  return putIn(coordinator, BUCKET, { key, body, precondition });
}

interface TestObject {
  readonly key: string;
  readonly body: string | UploadBody;
  readonly precondition?: PutObject["precondition"];
}

export function putIn(
  { store }: TestCoordinator,
  bucket: string,
  { key, body, precondition = { kind: "none" } }: TestObject,
) {
  const streamed = typeof body === "string" ? streamOf(body) : body;
  return store.putObject(context, { bucket, key, attributes, encryption, precondition, body: streamed });
}

export function remove({ store }: TestCoordinator, key: string) {
  return store.deleteObject(context, { bucket: BUCKET, key, precondition: { kind: "none" } });
}

/** Opens a read that continues when the test requests the next chunk. */
export async function openRead({ store }: TestCoordinator, key: string): Promise<AsyncIterator<Uint8Array>> {
  const reader = await store.getObject(context, { bucket: BUCKET, key, customerKey: null });
  const chunks = reader.read({ start: 0, end: reader.info.sizeBytes });
  return Symbol.asyncIterator in chunks
    ? chunks[Symbol.asyncIterator]()
    : (async function* () {
        yield* chunks;
      })();
}

export async function readOn(reading: AsyncIterator<Uint8Array>): Promise<string> {
  let text = "";
  for (let next = await reading.next(); !next.done; next = await reading.next()) {
    text += Buffer.from(next.value).toString();
  }
  return text;
}

export async function beginMultipart(
  { store }: TestCoordinator,
  key: string,
  bucket = BUCKET,
): Promise<string> {
  const begun = await store.createMultipartUpload(context, {
    bucket,
    key,
    attributes,
    checksum: null,
    encryption,
  });
  return begun.uploadId;
}

export function putPart(
  { store }: TestCoordinator,
  key: string,
  uploadId: string,
  partNumber: number,
  body: string,
) {
  const part = { bucket: BUCKET, key, uploadId, partNumber, customerKey: null, body: streamOf(body) };
  return store.putPart(context, part);
}

/** Completes an upload from the parts with these numbers. */
export async function complete(
  { store }: TestCoordinator,
  key: string,
  uploadId: string,
  partNumbers: readonly number[],
) {
  const name = { bucket: BUCKET, key, uploadId };
  const { parts } = await store.listParts(context, { ...name, afterPartNumber: 0, partCountMax: 100 });
  const wanted = parts.filter(({ partNumber }) => partNumbers.includes(partNumber));
  const sizeBytes = wanted.reduce((sum, part) => sum + part.sizeBytes, 0);
  const completion = `${uploadId} ${partNumbers}`;
  const rest = { sizeBytes, completion, etag: "e-1", checksum: null };
  return await store.completeMultipartUpload(context, {
    ...name,
    ...rest,
    parts: wanted,
    precondition: { kind: "none" },
    customerKey: null,
  });
}

export function abort({ store }: TestCoordinator, key: string, uploadId: string) {
  return store.abortMultipartUpload(context, { bucket: BUCKET, key, uploadId });
}
