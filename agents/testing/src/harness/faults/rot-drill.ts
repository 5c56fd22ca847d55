/**
 * Flips bits of shards at rest, scrubs every drive once, and checks the media and clients' answers:
 *
 *     up to m shards rot   each is found by that scrub and rebuilt from its peers before any client reads
 *     m + 1 shards rot     each is found, and the object is reported lost and refused until its bytes are back
 */
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { readBody } from "../client.ts";
import { contentBody } from "../ledger.ts";
import { isUnavailable, retryWhileUnavailable } from "../retry-requests.ts";
import { uploadPath } from "../upload-path.ts";
import type { TestVault } from "../vault.ts";
import { until } from "../wait-until.ts";
import { audit, type Findings } from "./audit.ts";
import type { RotRound } from "./draw-rot-round.ts";
import { driveAddresses, drivePath, type FileFaults } from "./file-faults.ts";
import { KeptObjects } from "./kept-objects.ts";
import { findCopies, flipBits, type MediumRecord } from "./medium.ts";
import { readScrubs, type ScrubbedDrive, startScrubs } from "./scrubs.ts";

const WITHIN_MS = 180_000;
const FAST_BYTES_PER_SECOND = 1e9;
/** At this rate the scrub of a killed round takes seconds. */
const SLOW_BYTES_PER_SECOND = 200_000;
const KEPT_OBJECT_COUNT = 24;
const STASH_BUCKET = "stashed";

interface Shard {
  readonly address: string;
  readonly uploadId: string;
  readonly shardIndex: number;
}

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly body: Buffer;
  readonly shards: readonly Shard[];
  /** Pod that never got its shard, which waits on the stash; null if all shards are on pods. */
  readonly awayAddress: string | null;
}

interface Struck extends Shard {
  readonly record: MediumRecord;
  readonly payload: Buffer;
  readonly bits: readonly number[];
  readonly corruptTotalBefore: number;
}

export interface RotOutcome {
  readonly struckCount: number;
  readonly detectedCount: number;
  readonly repairedCount: number;
  /** Duration of the scrub of all drives. */
  readonly scrubMs: number;
  /** Time from the flip until every shard was rewritten; null for a lost object. */
  readonly repairMs: number | null;
  readonly isLost: boolean;
  /** Everything that a client must never see. */
  readonly complaints: readonly string[];
}

export interface RotDrillSetting {
  readonly vault: TestVault;
  readonly s3: S3Client;
  readonly faults: FileFaults;
}

export class RotDrill {
  readonly kept: KeptObjects;
  readonly #vault: TestVault;
  readonly #s3: S3Client;
  readonly #faults: FileFaults;
  readonly #pods: readonly string[];
  readonly #all: readonly string[];
  /** Objects that were uploaded while a pod was unavailable. */
  readonly #uploaded: { readonly key: string; readonly body: Buffer }[] = [];

  private constructor({ vault, s3, faults }: RotDrillSetting, kept: KeptObjects) {
    this.kept = kept;
    this.#vault = vault;
    this.#s3 = s3;
    this.#faults = faults;
    this.#pods = driveAddresses(vault, "pod");
    this.#all = [...this.#pods, ...driveAddresses(vault, "stash")];
  }

  static async create(setting: RotDrillSetting): Promise<RotDrill> {
    const kept = await KeptObjects.create(setting.s3, "kept", KEPT_OBJECT_COUNT);
    await retryWhileUnavailable("a bucket is made", () =>
      setting.s3.send(new CreateBucketCommand({ Bucket: STASH_BUCKET })),
    );
    return new RotDrill(setting, kept);
  }

  async run(round: RotRound): Promise<RotOutcome> {
    const { parityShardCount } = this.#vault.file.scheme;
    const isLost = round.shardCount > parityShardCount;
    const target = round.isOnStash ? await this.#uploadWithoutPod(round) : await this.#chooseKept(round);
    const complaintCount = this.kept.complaints.length;
    if (round.hasReaders) this.kept.startReading();
    const startedMs = performance.now();
    const struck = await this.#strike(target, round);
    const scrub = await this.#scrub(struck, round, target.awayAddress);
    this.#faults.clear();
    const complaints = isLost ? await this.#expectLost(target) : [];
    if (isLost) for (const { record, bits } of struck) flipBits(record, bits);
    const repairedCount = isLost ? 0 : await this.#repaired(struck, target);
    const repairMs = isLost ? null : performance.now() - startedMs;
    if (round.hasReaders) await this.kept.stopReading();
    complaints.push(...(await this.#readBack(target)));
    await this.#whole(target);
    complaints.push(...this.kept.complaints.slice(complaintCount));
    return { struckCount: struck.length, ...scrub, repairedCount, repairMs, isLost, complaints };
  }

  /** Compares all objects with what was uploaded. */
  async audit(): Promise<Findings> {
    const findings = await audit({ s3: this.#s3, kept: this.kept, loads: [], buckets: [STASH_BUCKET] });
    for (const { key, body } of this.#uploaded) {
      findings.wrong.push(...(await this.#readBack({ bucket: STASH_BUCKET, key, body })));
    }
    return findings;
  }

  async #chooseKept({ random }: RotRound): Promise<Target> {
    await this.#vault.drained();
    const { objects } = this.kept;
    const { bucket, key, body } = objects[Math.floor(random() * objects.length)] as (typeof objects)[number];
    const shards = await until(
      `every pod holds its shard of ${key}`,
      async () => {
        const held = await this.#shardsOf(bucket, key);
        return held.length === this.#pods.length && held;
      },
      WITHIN_MS,
      () => this.#shardsOf(bucket, key),
    );
    return { bucket, key, body, shards, awayAddress: null };
  }

  /** Uploads an object while every call on one pod's drive fails, and waits until only the stash has that shard. */
  async #uploadWithoutPod({ number, random }: RotRound): Promise<Target> {
    await this.#vault.drained();
    const awayAddress = this.#pods[Math.floor(random() * this.#pods.length)] as string;
    const path = drivePath(this.#vault, awayAddress);
    this.#faults.set((["write", "sync", "open"] as const).map((mode) => ({ mode, path })));
    const { key, body } = await this.#uploadByStash(number);
    const isAtRest = (held: readonly Shard[]) =>
      held.length === this.#pods.length &&
      held.filter(({ address }) => address.startsWith("s")).length === 1 &&
      !held.some(({ address }) => address === awayAddress);
    const look = () => this.#shardsOf(STASH_BUCKET, key);
    const shards = await until(
      `the stash holds the shard of ${awayAddress} alone`,
      async () => {
        const held = await look();
        return isAtRest(held) && held;
      },
      WITHIN_MS,
      look,
    );
    return { bucket: STASH_BUCKET, key, body, shards, awayAddress };
  }

  /** Retries with another object, because a busy vault sometimes bypasses the stash. */
  #uploadByStash(number: number): Promise<{ readonly key: string; readonly body: Buffer }> {
    let attempt = 0;
    const upload = async () => {
      const key = `object/${number}/${attempt++}`;
      const body = contentBody(`${STASH_BUCKET}/${key}`, 1).subarray(0, 100_000);
      const path = await uploadPath(this.#vault, { bucket: STASH_BUCKET, key, body }).catch(() => "refused");
      if (path === "refused") return null;
      this.#uploaded.push({ key, body });
      return path === "stash" ? { key, body } : null;
    };
    return until("an object is taken by the stash", upload, WITHIN_MS);
  }

  async #shardsOf(bucket: string, key: string): Promise<Shard[]> {
    const query = new URLSearchParams({ bucket, key });
    const nodeIds = [...this.#vault.nodeIdsOf("stash"), ...this.#vault.nodeIdsOf("pod")];
    const pages = await Promise.all(
      nodeIds.map(async (id) => {
        const answer = await this.#vault.askAdmin(id, `/uploads?${query}`);
        return answer?.status === 200
          ? (JSON.parse(answer.text) as { shards: (Shard & { isDurable: boolean })[] }).shards
          : [];
      }),
    );
    return pages.flat().filter(({ isDurable }) => isDurable);
  }

  async #strike(target: Target, round: RotRound): Promise<Struck[]> {
    const { shards, awayAddress } = target;
    const order = shards.map((shard) => ({ shard, at: shard.address.startsWith("s") ? -1 : round.random() }));
    const chosen = order.toSorted((a, b) => a.at - b.at).slice(0, round.shardCount);
    const before = new Map((await readScrubs(this.#vault)).map((drive) => [drive.address, drive]));
    return chosen.map(({ shard }) => {
      const { record, payload } = this.#newestCopy(shard, awayAddress);
      const bits = drawBits(record, round);
      flipBits(record, bits);
      const corruptTotalBefore = round.isKilled ? 0 : (before.get(shard.address)?.damage.corruptTotal ?? 0);
      return { ...shard, record, payload, bits, corruptTotalBefore };
    });
  }

  #newestCopy(shard: Shard, awayAddress: string | null): { record: MediumRecord; payload: Buffer } {
    const [record] = findCopies(this.#vault, shard.address, shard);
    if (record?.payload == null)
      throw new Error(`${shard.address} has no good copy on its medium; ${awayAddress ?? "no pod"} is away.`);
    return { record, payload: record.payload };
  }

  /** Scrubs every drive once, except one that is unavailable. */
  async #scrub(
    struck: readonly Struck[],
    round: RotRound,
    awayAddress: string | null,
  ): Promise<{ readonly detectedCount: number; readonly scrubMs: number }> {
    const addresses = this.#all.filter((address) => address !== awayAddress);
    const startedMs = performance.now();
    if (round.isKilled) await this.#killDuringScrub(addresses);
    const asked = await startScrubs(this.#vault, { bytesPerSecond: FAST_BYTES_PER_SECOND, addresses });
    const startedAt = new Map(asked.map(({ address, scrub }) => [address, scrub.startedAtMs]));
    const hasEnded = ({ address, scrub }: ScrubbedDrive) =>
      address === awayAddress ||
      (!scrub.isOnDemand && scrub.last !== null && scrub.last.startedAtMs >= (startedAt.get(address) ?? 0));
    const look = () => readScrubs(this.#vault);
    const drives = await until(
      "every drive has been scrubbed",
      async () => {
        const seen = await look();
        return seen.length === this.#all.length && seen.every(hasEnded) && seen;
      },
      WITHIN_MS,
      look,
    );
    const scrubMs = performance.now() - startedMs;
    return { detectedCount: struck.filter((each) => this.#isDetected(each, drives)).length, scrubMs };
  }

  async #killDuringScrub(addresses: readonly string[]): Promise<void> {
    await startScrubs(this.#vault, { bytesPerSecond: SLOW_BYTES_PER_SECOND, addresses });
    const isUnderWay = async () =>
      (await readScrubs(this.#vault)).some(({ scrub }) => scrub.isOnDemand && scrub.bytesVerified > 0);
    await until("a scrub is in progress", isUnderWay, WITHIN_MS);
    await this.#vault.kill();
    this.#vault.start(this.#vault.nodeIds);
    await this.#vault.ready();
  }

  /** True if the drive has counted the record, or has already replaced it. */
  #isDetected(each: Struck, drives: readonly ScrubbedDrive[]): boolean {
    const damage = drives.find(({ address }) => address === each.address)?.damage;
    if (damage === undefined) return false;
    if (damage.corruptTotal > each.corruptTotalBefore || (damage.corruptCount ?? 0) > 0) return true;
    return this.#isReplaced(each);
  }

  #isReplaced({ address, uploadId, shardIndex, record, payload }: Struck, on = address): boolean {
    const [newest] = findCopies(this.#vault, on, { uploadId, shardIndex });
    const isNewer = on !== address || (newest?.lsn ?? 0) > record.lsn;
    return isNewer && newest?.payload?.equals(payload) === true;
  }

  /** Counts the rewritten shards; that of the stash is on its pod by then. */
  async #repaired(struck: readonly Struck[], { awayAddress }: Target): Promise<number> {
    const homeOf = ({ address }: Struck) => (address.startsWith("s") ? (awayAddress ?? address) : address);
    const isRepaired = (each: Struck) => this.#isReplaced(each, homeOf(each));
    await until(
      "every shard is written again",
      async () => (await this.#corruptAddresses()).length === 0 && struck.every(isRepaired),
      WITHIN_MS,
      async () => ({ corrupt: await this.#corruptAddresses(), repaired: struck.map(isRepaired) }),
    );
    return struck.filter(isRepaired).length;
  }

  /** Drives that have records with a wrong checksum, or that are not running. */
  async #corruptAddresses(): Promise<string[]> {
    const drives = await readScrubs(this.#vault);
    const good = new Set(
      drives.filter(({ damage }) => damage.corruptCount === 0).map(({ address }) => address),
    );
    return this.#all.filter((address) => !good.has(address));
  }

  /**
   * Checks that the vault reports the object before any client asks for it, and refuses it without calling it absent.
   */
  async #expectLost({ bucket: Bucket, key: Key, body }: Target): Promise<string[]> {
    const [coordinator = ""] = this.#vault.nodeIdsOf("coordinator");
    const named = async () => (await this.#vault.askAdmin(coordinator, "/lost"))?.text ?? "";
    const isNamed = async () => (await named()).includes(`"key":"${Key}"`);
    await until(`${Bucket}/${Key} is named as lost`, isNamed, WITHIN_MS, named);
    const complaints: string[] = [];
    const refusal = () =>
      this.#s3.send(new GetObjectCommand({ Bucket, Key })).then(
        () => "an answer with bytes",
        (error: Error) => (error.name === "SlowDown" ? null : error.name),
      );
    const answer = await until(`${Bucket}/${Key} is refused`, refusal, WITHIN_MS);
    if (answer !== "ObjectUnreadable") complaints.push(`${Bucket}/${Key} is lost, and GET has ${answer}`);
    const head = await this.#s3.send(new HeadObjectCommand({ Bucket, Key }));
    if (head.ContentLength !== body.length)
      complaints.push(`HEAD of ${Bucket}/${Key} has ${head.ContentLength} bytes`);
    const { Contents = [] } = await this.#s3.send(new ListObjectsV2Command({ Bucket }));
    if (!Contents.some((each) => each.Key === Key)) complaints.push(`${Bucket}/${Key} is not listed`);
    return complaints;
  }

  async #readBack({ bucket: Bucket, key: Key, body }: Pick<Target, "bucket" | "key" | "body">) {
    const get = async () => readBody((await this.#s3.send(new GetObjectCommand({ Bucket, Key }))).Body);
    const { value } = await retryWhileUnavailable(`${Bucket}/${Key} is read`, get, {
      isPassing: isUnavailable,
      withinMs: WITHIN_MS,
    });
    return value.equals(body) ? [] : [`${Bucket}/${Key} shows other bytes`];
  }

  /** Waits until every pod has its shard again, the stash is empty, and nothing is lost or corrupt. */
  async #whole({ bucket, key }: Target): Promise<void> {
    const look = async () => ({
      corrupt: await this.#corruptAddresses(),
      shards: (await this.#shardsOf(bucket, key)).map(({ address }) => address),
    });
    const isWhole = async () => {
      const { corrupt, shards } = await look();
      return corrupt.length === 0 && this.#pods.every((pod) => shards.includes(pod));
    };
    await until(`${bucket}/${key} is whole again`, isWhole, WITHIN_MS, look);
  }
}

function drawBits(
  { headBytes, payloadBytes }: MediumRecord,
  { part, bitsPerShard, random }: RotRound,
): number[] {
  // A body shorter than k bytes leaves shards that consist of padding, but none without bytes.
  const [from, bytes] = part === "header" || payloadBytes === 0 ? [0, headBytes] : [headBytes, payloadBytes];
  const bits = new Set(
    Array.from({ length: bitsPerShard }, () => 8 * from + Math.floor(random() * bytes * 8)),
  );
  return [...bits];
}
