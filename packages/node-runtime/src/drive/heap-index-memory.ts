/**
 * Bounds the records of a process's pods by its memory, in which each has an entry: V8's heap, where entries that
 * wait for something are, and the buffers outside of it, among them the pages of the others (index-pages.ts). A process
 * without memory ends, and with it every drive that it serves. Uploads are refused long before that, repairs later,
 * deletes never.
 *
 * The bytes of the entries are measured and not derived from their number, because keys and metadata differ: memory
 * that is left after a collection of the old generation is live. Between two collections the memory in use is an
 * upper bound.
 */
import { freemem, totalmem } from "node:os";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { forgetSharedHeaders, type IndexMemory, type IndexSpace } from "@stashlight/shard-store";
import type { SpaceClass } from "@stashlight/write-path";
import { monotonicNowMs } from "../host/clock.ts";
import { readContainerUse } from "./container-memory.ts";

/** A kind of memory: the bytes in use, including garbage, and the limit. */
export interface MemoryUse {
  readonly limitBytes: number;
  readonly usedBytes: number;
}

export interface MemoryReading {
  /** The old generation, at whose limit V8 ends the process. */
  readonly heap: MemoryUse;
  /** The heap together with all buffers; its limit is what the machine or the container can give the process. */
  readonly process: MemoryUse;
}

type Kind = keyof MemoryReading;

const KINDS: readonly Kind[] = ["heap", "process"];

interface Reserve {
  /** Share of the limit to keep free. */
  readonly share: number;
  /** Minimum to keep free: a small heap needs as much for requests in progress. */
  readonly bytesMin: number;
}

/** Heap that must stay free after a record of each class; a removal frees more than it takes. */
const RESERVES: Readonly<Record<SpaceClass, Reserve>> = {
  data: { share: 0.25, bytesMin: 48e6 },
  replacement: { share: 0.2, bytesMin: 40e6 },
  repair: { share: 0.1, bytesMin: 24e6 },
  removal: { share: 0, bytesMin: 0 },
};
/** Share of the maximum below which uploads are accepted again, so that a full vault does not accept every other one. */
const RELIEVED_SHARE = 0.96;
/**
 * Share of the limit above which records have to wait: V8 collects before the heap is full, so a nearly full heap may
 * be mostly garbage.
 */
const USED_SHARE_MAX = 0.92;
/** Live bytes of a process without records, which the measured bytes per record exclude. */
const EMPTY_PROCESS_BYTES = 60e6;
/** Bytes of each kind that a record of a pod takes beside its pages, until it has been measured. */
const RECORD_BYTES: Readonly<Record<Kind, number>> = { heap: 4, process: 8 };
/** With fewer records, the bytes per record are not measured. */
const RECORDS_MEASURED_MIN = 100_000;
/** Readings are cached this long, because each append asks and a reading takes some microseconds. */
const READ_EVERY_MS = 100;
/**
 * Minimum interval between requested collections. V8 collects only when more memory is needed, which deletes do not
 * cause; a collection stops the process for up to a second.
 */
const COLLECT_EVERY_MS = 15_000;
/** After reading fewer records at startup, the garbage is less than a second of uploads produces. */
const RECORDS_READ_MIN = 1000;
/** Share of the records that must have been removed before a collection is worthwhile. */
const RECORDS_GONE_MIN = 0.02;

/** A pod, as the memory of its process counts it. */
export interface PodRecords {
  recordCount(): number;
  /** Bytes of its index's pages in memory, which are limited however many records there are. */
  heldBytes(): number;
  /** Device number of the file system that holds the pages outside memory; null if there is none. */
  readonly fileSystem: number | null;
}

export interface ProcessMemory {
  read(): MemoryReading;
  /** Schedules a collection of the old generation. */
  collect(): void;
}

export class HeapIndexMemory implements IndexMemory {
  readonly #memory: ProcessMemory;
  readonly #nowMs: () => number;
  readonly #pods = new Set<PodRecords>();
  #reading: MemoryReading;
  #readMs: number;
  /** Live bytes after the last collection of the old generation; null before the first. */
  #live: MemoryReading | null = null;
  #recordCountLive = 0;
  #collectedMs = Number.NEGATIVE_INFINITY;
  #isFullForData = false;

  constructor(memory: ProcessMemory, nowMs: () => number) {
    this.#memory = memory;
    this.#nowMs = nowMs;
    this.#reading = memory.read();
    this.#readMs = nowMs();
  }

  /** Must be called after each collection of the old generation. */
  collected(): void {
    this.#reading = this.#memory.read();
    this.#readMs = this.#nowMs();
    this.#collectedMs = this.#readMs;
    this.#live = this.#reading;
    this.#recordCountLive = this.#sum(({ recordCount }) => recordCount());
  }

  /** Counts the records of a pod until the returned function is called. */
  attach(pod: PodRecords): () => void {
    this.#pods.add(pod);
    return () => void this.#pods.delete(pod);
  }

  /** Number of pods whose indexes share a file system. */
  podsOn(fileSystem: number | null): number {
    return this.#sum((pod) => (pod.fileSystem === fileSystem ? 1 : 0));
  }

  /**
   * Must be called once a pod that read this many records has started. The data that it read from its log is several
   * times what it keeps, and V8 would hold this garbage until it needs memory.
   */
  started(recordCount: number): void {
    if (recordCount >= RECORDS_READ_MIN) this.#memory.collect();
  }

  spaceFor(room: SpaceClass): IndexSpace {
    this.#refresh();
    if (room === "removal") return "free";
    const relief = room === "data" && this.#isFullForData ? RELIEVED_SHARE : 1;
    const isFull = this.#fullestShare(room) > relief;
    if (room === "data") this.#isFullForData = isFull;
    if (isFull) {
      this.#collectAfterDeletes();
      return "full";
    }
    const isShort = KINDS.some((kind) => {
      const { usedBytes, limitBytes } = this.#reading[kind];
      return usedBytes > USED_SHARE_MAX * limitBytes;
    });
    if (!isShort) return "free";
    // Refused uploads allocate little, so V8 might not collect for as long as they are refused.
    if (this.#takeCollection()) this.#memory.collect();
    return "short";
  }

  /** Live bytes as a share of the limit at which uploads are refused; above 1 once they are. */
  usedShare(): number {
    this.#refresh();
    return this.#fullestShare("data");
  }

  /** Estimates how many records a pod can have before uploads are refused, if all pods of the process grow equally. */
  recordsMax(recordCount: number): number {
    this.#refresh();
    const podCount = Math.max(1, this.#pods.size);
    const total = this.#sum(({ recordCount }) => recordCount());
    const emptyBytes: Readonly<Record<Kind, number>> = {
      heap: EMPTY_PROCESS_BYTES,
      process: EMPTY_PROCESS_BYTES + this.#sum(({ heldBytes }) => heldBytes()),
    };
    const free = KINDS.map((kind) => {
      const { limitBytes } = this.#reading[kind];
      const liveBytes = this.#liveBytes(kind);
      const recordBytes =
        total < RECORDS_MEASURED_MIN
          ? RECORD_BYTES[kind]
          : Math.max(1, (liveBytes - emptyBytes[kind]) / total);
      return Math.max(0, liveBytesMax(limitBytes, "data") - liveBytes) / recordBytes;
    });
    return recordCount + Math.floor(Math.min(...free) / podCount);
  }

  #collectAfterDeletes(): void {
    if (!this.#takeCollection()) return;
    const recordCount = this.#sum((pod) => pod.recordCount());
    if (recordCount < (1 - RECORDS_GONE_MIN) * this.#recordCountLive) this.#memory.collect();
  }

  /** Returns true once per interval. */
  #takeCollection(): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#collectedMs < COLLECT_EVERY_MS) return false;
    this.#collectedMs = nowMs;
    return true;
  }

  #sum(of: (pod: PodRecords) => number): number {
    let total = 0;
    for (const pod of this.#pods) total += of(pod);
    return total;
  }

  #refresh(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#readMs < READ_EVERY_MS) return;
    this.#reading = this.#memory.read();
    this.#readMs = nowMs;
  }

  #fullestShare(room: SpaceClass): number {
    const shares = KINDS.map(
      (kind) => this.#liveBytes(kind) / liveBytesMax(this.#reading[kind].limitBytes, room),
    );
    return Math.max(...shares);
  }

  #liveBytes(kind: Kind): number {
    const { usedBytes } = this.#reading[kind];
    return this.#live === null ? usedBytes : Math.min(usedBytes, this.#live[kind].usedBytes);
  }
}

/**
 * Returns the maximum of live bytes: at least a tenth of the limit, so that a heap smaller than its reserves still
 * accepts some records.
 */
function liveBytesMax(limitBytes: number, room: SpaceClass): number {
  const { share, bytesMin } = RESERVES[room];
  return Math.max(0.1 * limitBytes, limitBytes - Math.max(share * limitBytes, bytesMin));
}

let ofProcess: HeapIndexMemory | null = null;

/**
 * Returns the memory for the indexes of this process, shared by all of its pods. The first call sets the limit; null
 * for none.
 */
export function processIndexMemory(limitBytes: number | null): HeapIndexMemory {
  if (ofProcess !== null) return ofProcess;
  const read = () => limitProcess(readMemory(), limitBytes);
  const memory = new HeapIndexMemory({ read, collect: collectSoon }, monotonicNowMs);
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isOfOldGeneration)) memory.collected();
  }).observe({ entryTypes: ["gc"] });
  ofProcess = memory;
  return memory;
}

/** Applies a configured limit, if it is below the memory of the machine or the container. */
export function limitProcess({ heap, process }: MemoryReading, limitBytes: number | null): MemoryReading {
  const ownBytes = limitBytes ?? Number.POSITIVE_INFINITY;
  return { heap, process: { ...process, limitBytes: Math.min(process.limitBytes, ownBytes) } };
}

const YOUNG_SPACES: ReadonlySet<string> = new Set(["new_space", "new_large_object_space"]);
const MIB = 1_048_576;
/** V8's own maximum of a semi-space; agents are started with a smaller one. */
const SEMI_SPACE_MIB = 64;
/** Size of the young generation: two semi-spaces, and large objects of the size of one. */
const SEMI_SPACES_OF_YOUNG = 3;

/** Infinite without a limit, which the system reports as 0 or as more bytes than the machine has. */
const containerBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;

/**
 * Limits the process to the machine's free memory, page cache included, and to the memory that other processes leave in
 * the container.
 */
function readMemory(): MemoryReading {
  const heap = readHeap();
  const usedBytes = heap.usedBytes + getHeapStatistics().external_memory;
  const limitBytes = Math.min(usedBytes + freemem(), containerLimit(usedBytes));
  return { heap, process: { usedBytes, limitBytes } };
}

function containerLimit(ownBytes: number): number {
  if (containerBytes > totalmem()) return Number.POSITIVE_INFINITY;
  const othersBytes = Math.max(0, (readContainerUse() ?? ownBytes) - ownBytes);
  return Math.max(0, containerBytes - othersBytes);
}

/** V8 reports one limit for both generations, and ends the process when the old one has no space. */
function readHeap(): MemoryUse {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !YOUNG_SPACES.has(name));
  const usedBytes = old.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  const youngBytes = SEMI_SPACES_OF_YOUNG * semiSpaceMib * MIB;
  const { heap_size_limit: heapBytes } = getHeapStatistics();
  return { limitBytes: Math.max(heapBytes - youngBytes, heapBytes / 4), usedBytes };
}

const semiSpaceMib = semiSpaceIn(process.execArgv) ?? SEMI_SPACE_MIB;

function semiSpaceIn(flags: readonly string[]): number | null {
  const value = flags.map((flag) => /^--max[-_]semi[-_]space[-_]size=(\d+)$/.exec(flag)?.[1]).find(Boolean);
  return value === undefined ? null : Number(value);
}

/** A collection of last resort also releases the pages of the heap that V8 would keep for later. */
type CollectGarbage = (options: {
  readonly type: "major";
  readonly execution: "async";
  readonly flavor: "last-resort";
}) => Promise<void>;

let collectGarbage: CollectGarbage | null = null;

/** The pods of a process start one after the other, and share headers until then. */
const COLLECT_AFTER_MS = 2000;
let collection: NodeJS.Timeout | null = null;

function collectSoon(): void {
  if (collection !== null) {
    collection.refresh();
    return;
  }
  collection = setTimeout(() => {
    collection = null;
    forgetSharedHeaders();
    collect();
  }, COLLECT_AFTER_MS).unref();
}

/** V8 exposes its collector only to code of a context created while the flag is set. */
function collect(): void {
  if (collectGarbage === null) {
    setFlagsFromString("--expose-gc");
    collectGarbage = runInNewContext("gc");
    setFlagsFromString("--no-expose-gc");
  }
  void collectGarbage?.({ type: "major", execution: "async", flavor: "last-resort" });
}

/** Returns true for a collection of the old generation. Node's types lack the entry's details. */
function isOfOldGeneration(entry: object): boolean {
  const { detail } = entry as { readonly detail?: { readonly kind?: number } };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
