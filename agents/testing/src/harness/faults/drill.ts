/** Runs clients of every kind on a vault with failing drives, and knows what was acknowledged. */
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { readBody, type S3Client, WITHOUT_RETRIES } from "../client.ts";
import { Load } from "../load-clients.ts";
import { isUnavailable, retryWhileUnavailable } from "../retry-requests.ts";
import type { TestVault } from "../vault.ts";
import { until } from "../wait-until.ts";
import { audit, type Findings } from "./audit.ts";
import { driveAddresses, drivePath, type FaultMode, type FileFaults } from "./file-faults.ts";
import { KeptObjects } from "./kept-objects.ts";
import { makeLargeBody, uploadInParts } from "./multipart-uploads.ts";

/** Longest pause between two attempts to open a drive, plus the time to open it. */
const WELL_WITHIN_MS = 120_000;
const STRUCK_WITHIN_MS = 120_000;
const MIB = 1_048_576;
const KEPT_OBJECT_COUNT = 60;
/** Volumes are small here, and overwritten pieces keep their space for some seconds. */
const LARGE_PAUSE_MS = 1000;

/** Space for garbage of the large objects, which is collected soon; drives come back soon as well. */
export const drillVault = {
  podVolume: { segmentBytes: 4 * MIB, segmentCount: 32 },
  amend: (file: VaultFile): VaultFile => ({
    ...file,
    collection: { graceMs: 3000, sweepGraceMs: 6000 },
    reopenAfterMsMax: 1000,
  }),
};

/** Bodies are compared byte by byte, because the SDK's check would miss the end of a truncated answer. */
export const drillClient = { ...WITHOUT_RETRIES, responseChecksumValidation: "WHEN_REQUIRED" };

export interface DrillSetting {
  readonly vault: TestVault;
  readonly s3: S3Client;
  readonly faults: FileFaults;
}

export class Drill {
  readonly vault: TestVault;
  readonly faults: FileFaults;
  readonly kept: KeptObjects;
  /** Clients of small objects that are written, overwritten, deleted, read and listed, and of large ones in parts. */
  readonly loads: readonly Load[];
  readonly #s3: S3Client;
  readonly #buckets: string[] = [];

  private constructor({ vault, s3, faults }: DrillSetting, kept: KeptObjects) {
    this.vault = vault;
    this.faults = faults;
    this.kept = kept;
    this.#s3 = s3;
    const common = { s3, acceptsUnavailable: true };
    const upload: NonNullable<ConstructorParameters<typeof Load>[0]["upload"]> = (object) =>
      uploadInParts(s3, object);
    this.loads = [
      new Load({ ...common, bucket: "small", concurrency: 2, lists: true }),
      new Load({
        ...common,
        bucket: "large",
        concurrency: 1,
        keysPerClient: 2,
        pauseMs: LARGE_PAUSE_MS,
        makeBody: makeLargeBody,
        upload,
      }),
    ];
  }

  static async create(setting: DrillSetting): Promise<Drill> {
    const drill = new Drill(setting, await KeptObjects.create(setting.s3, "kept", KEPT_OBJECT_COUNT));
    for (const bucket of ["small", "large"]) await drill.createBucket(bucket);
    return drill;
  }

  /** Creating a bucket writes only its record. */
  async createBucket(Bucket: string): Promise<void> {
    const create = async () => {
      try {
        await this.#s3.send(new CreateBucketCommand({ Bucket }));
      } catch (error) {
        // An earlier attempt ended in an error but took effect.
        if ((error as Error).name !== "BucketAlreadyOwnedByYou") throw error;
      }
    };
    await retryWhileUnavailable(`${Bucket} can be made`, create, { isPassing: isUnavailable });
    this.#buckets.push(Bucket);
  }

  startClients(): void {
    for (const load of this.loads) load.start();
    this.kept.startReading();
  }

  async stopClients(): Promise<void> {
    await Promise.all([...this.loads.map((load) => load.stop()), this.kept.stopReading()]);
  }

  /** Answers that clients must never get. */
  get complaints(): readonly string[] {
    return [...this.kept.complaints, ...this.loads.flatMap(({ complaints }) => complaints)];
  }

  get acknowledgedCount(): number {
    return this.loads.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0);
  }

  get bucketCount(): number {
    return this.#buckets.length + this.kept.buckets.length;
  }

  /** Makes only calls of these modes fail from now on, on files of these drives whose names begin with `files`. */
  strike(modes: readonly FaultMode[], addresses: readonly string[], files = ""): void {
    this.faults.set(
      addresses.flatMap((address) =>
        modes.map((mode) => ({ mode, path: `${drivePath(this.vault, address)}${files}` })),
      ),
    );
  }

  /** Resolves when this many calls have failed. */
  async struck(count: number): Promise<void> {
    const target = this.faults.failedCount + count;
    await until(
      `${count} calls have failed`,
      () => this.faults.failedCount >= target,
      STRUCK_WITHIN_MS,
      () => ({ failed: this.faults.failedCount - target + count }),
    );
  }

  /** Resolves with the milliseconds until every drive works. */
  async well(): Promise<number> {
    const startedMs = performance.now();
    const all = [...driveAddresses(this.vault, "pod"), ...driveAddresses(this.vault, "stash")];
    const look = async () => {
      const drives = [...(await this.vault.drives("pod")), ...(await this.vault.drives("stash"))];
      return drives.flatMap(({ address, state }) => {
        const isWell = state.lifecycle === "settled" || state.lifecycle === "serving";
        return isWell ? [address] : [];
      });
    };
    await until(
      "every drive works again",
      async () => (await look()).length === all.length,
      WELL_WITHIN_MS,
      async () => ({ working: await look(), all }),
    );
    return performance.now() - startedMs;
  }

  /** Resolves with the milliseconds until an upload, a read of each bucket and a list have succeeded. */
  async served(): Promise<number> {
    const startedMs = performance.now();
    const until = { isPassing: isUnavailable, withinMs: WELL_WITHIN_MS };
    const object = { Bucket: "small", Key: "others/served" };
    const put = () => this.#s3.send(new PutObjectCommand({ ...object, Body: "served" }));
    await retryWhileUnavailable("an upload is taken", put, until);
    for (const [at, { bucket: Bucket, key: Key }] of this.kept.objects.entries()) {
      if (at % 10 !== 0) continue;
      await retryWhileUnavailable(
        `${Bucket}/${Key} is read`,
        // Reads each answer to its end, because an unread one keeps its connection, and a client has 50.
        async () => readBody((await this.#s3.send(new GetObjectCommand({ Bucket, Key }))).Body),
        until,
      );
      await retryWhileUnavailable(
        `${Bucket} is listed`,
        () => this.#s3.send(new ListObjectsV2Command({ Bucket })),
        until,
      );
    }
    return performance.now() - startedMs;
  }

  /** Ends and restarts every agent. */
  async restart(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    await this.vault.end(this.vault.nodeIds, signal);
    this.vault.start(this.vault.nodeIds);
  }

  audit(): Promise<Findings> {
    const { kept, loads } = this;
    return audit({ s3: this.#s3, kept, loads, buckets: this.#buckets });
  }
}
