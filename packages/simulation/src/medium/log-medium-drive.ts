/** One drive under a log: the faulty disk, the format of the log, and the image of its media. */
import { crc32c } from "@stashlight/checksum";
import type { ServiceModel } from "@stashlight/devices";
import type { PageMemory } from "@stashlight/paged-memory";
import {
  formatLog,
  type LogError,
  type LogOptions,
  type LogResumption,
  type OpenedLog,
  openLogKeeping,
} from "@stashlight/shard-log";
import { makeIdentity, PAGE_BYTES } from "@stashlight/shard-log/image";
import { type KeptRecord, keepRecord } from "@stashlight/shard-store";
import type { Random } from "@stashlight/stats/forkable-random";
import { healthy, PagePool, SimulatedDisk } from "../disk/index.ts";
import type { RecordPlace } from "./log-medium-frames.ts";
import { LogImage } from "./log-medium-image.ts";
import type { MediumOptions, ReadState } from "./medium.ts";

/** Pages are reused by later runs; everything else of a run is garbage-collected. */
const pool = new PagePool();

const CLUSTER_ID = new Uint8Array(16).fill(0xc1);
/** Reading and writing cost almost nothing compared with a sync, whose duration the run draws. */
const TRANSFER_US = 10;

export type Geometry = Pick<LogOptions, "policy" | "segmentBytes" | "segmentCount">;

/** Segments small enough for rings to recycle and extents to compact within a run. */
export function drawGeometry(random: Random, isRing: boolean, isSmall: boolean): Geometry {
  // Data may fill 15/16 of the space that compaction can free in five of these segments: about WALL_BYTES.
  if (isSmall) return { policy: "extents", segmentBytes: 65_536, segmentCount: 8 };
  return {
    policy: isRing ? "ring" : "extents",
    segmentBytes: random.pick([65_536, 65_536, 131_072, 262_144]),
    segmentCount: 5 + random.below(4),
  };
}

export class LogDrive {
  readonly disk: SimulatedDisk;
  readonly image: LogImage;
  readonly #options: LogOptions;

  constructor(medium: MediumOptions, geometry: Geometry, driveNumber: number, onKey: (key: string) => void) {
    const { queue, random, syncUs } = medium;
    const disk = new SimulatedDisk({
      nowUs: () => queue.nowUs,
      schedule: (delayUs, action) => queue.schedule(delayUs, action),
      random: random.next,
      device: syncDevice(geometry.policy === "ring", syncUs),
      faults: { ...healthy(), shortWrite: 0.02, earlyWriteback: random.pick([0, 0.01, 0.2]) },
      pool,
    });
    const deviceId = new Uint8Array(16).fill(0xd1);
    new DataView(deviceId.buffer).setUint32(0, driveNumber);
    this.disk = disk;
    this.#options = {
      disk,
      crc32c,
      nowMs: () => queue.nowUs / 1000,
      clusterId: CLUSTER_ID,
      deviceId,
      ...geometry,
      batchBytesMax: 32_768,
      recordBytesMax: 16_384,
      batchesWaitingMax: 64,
    };
    const identity = makeIdentity(CLUSTER_ID, deviceId, crc32c);
    this.image = new LogImage(identity, geometry, (name, page) => disk.mediaPage(name, page), onKey);
    disk.onMediaChange = (fileName, page) => this.image.pageChanged(fileName, page);
  }

  /**
   * Opens the log, and formats it first if necessary. A cut during formatting leaves a torn volume file, and formatting
   * refuses to touch a volume that was ever used. Nothing is called back after a crash.
   */
  open(
    unreadablePagesMax: number,
    memory: PageMemory,
    resume: LogResumption | null,
    done: (error: LogError | null, opened: OpenedLog<KeptRecord> | null) => void,
  ): void {
    // Accepts losses, as the drive's host does after ten minutes: here reads are garbled at random, which may hide
    // records.
    const acceptsLosses = true;
    const options = { ...this.#options, unreadablePagesMax, acceptsLosses, memory, keep: keepRecord };
    const openOptions = resume === null ? options : { ...options, resume };
    openLogKeeping(openOptions, (error, opened) => {
      if (error?.code !== "not_formatted" && error?.code !== "volume_corrupt") done(error, opened);
      else {
        formatLog(this.#options, (failed) => {
          if (failed === null) openLogKeeping({ ...this.#options, memory, keep: keepRecord }, done);
          else done(failed, null);
        });
      }
    });
  }

  setReads(reads: ReadState): void {
    this.disk.faults.readError = reads === "failing" ? 1 : 0;
    this.disk.faults.garbledRead = reads === "garbled" ? 1 : 0;
  }

  flipBit(place: RecordPlace): void {
    this.disk.rotBit(place);
  }

  /** Makes the pages of the place unreadable, including the other records on them. */
  makeUnreadable(place: RecordPlace): void {
    this.disk.makeUnreadable(place);
    const first = Math.floor(place.offset / PAGE_BYTES);
    for (let page = first; page * PAGE_BYTES < place.offset + place.bytes; page += 1) {
      this.image.pageChanged(place.fileName, page);
    }
  }

  /** Ends the drive without reporting changes of its pages. */
  release(): void {
    this.disk.onMediaChange = undefined;
    this.disk.onSyncFailed = undefined;
    this.disk.release();
  }
}

/** Service times in which only syncs take long, because the protocol notices nothing else of a device. */
function syncDevice(isSsd: boolean, syncUs: number): ServiceModel {
  return {
    name: isSsd ? "simulated SSD" : "simulated HDD",
    kind: isSsd ? "ssd" : "hdd",
    capacityBytes: 2 ** 40,
    hasPowerLossProtection: isSsd,
    serviceTimeUs: (operation, _bytes, _offset, _previousEndOffset, draw) =>
      operation === "sync" ? syncUs * (0.5 + draw) : TRANSFER_US,
    occupancyUs: (_operation, _bytes, serviceTimeUs) => serviceTimeUs,
  };
}
