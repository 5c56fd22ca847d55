/** Opens a log: checks whose volume it is, reads it back, and makes the next volume epoch durable before any write. */
import { DiskError, type DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";
import { makeIdentity, PAGE_BYTES } from "./format.ts";
import { frameAt, readPages } from "./frame-scan.ts";
import { decodeHeaderPage, type HeaderPage, raiseMarks } from "./header-page.ts";
import { ShardLog } from "./log.ts";
import { checkOptions, type LogOptions } from "./options.ts";
import { idOfKey, type RecordId } from "./record-key.ts";
import {
  copyOfRecord,
  FoundRecords,
  type Keep,
  type RecoveredRecord,
  RecoveredRecords,
} from "./recovered-records.ts";
import { Recovery } from "./recovery.ts";
import type { Candidate, Damage, Recovered } from "./recovery-report.ts";
import { Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import { Volume } from "./volume.ts";
import {
  ioFailed,
  readVolumeFile,
  refusalOf,
  segmentFileName,
  VOLUME_FILE,
  volumePage,
  writeVolumeFile,
} from "./volume-file.ts";

/** Generations that are skipped when a header is lost, whose generation might be higher than any that is left. */
const GENERATIONS_SKIPPED = 2 ** 20;

/** What was kept of records is that of all that their headers say, where nobody asked for less. */
export interface OpenedLog<Kept = RecoveredRecord> {
  readonly log: ShardLog;
  /** Every live record without its payload, in the order of the log. All of them are durable. */
  readonly records: RecoveredRecords<Kept>;
  /** Live records whose payload was found to be corrupt; they are not among `records`. Kill them or append them again. */
  readonly corruptRecords: readonly RecordId[];
  readonly damage: readonly Damage[];
  readonly framesAccepted: number;
  readonly framesDiscarded: number;
}

export type OpenDone<Kept = RecoveredRecord> = (
  error: LogError | null,
  opened: OpenedLog<Kept> | null,
) => void;
type Next = (error: LogError | null) => void;

interface VolumeFile {
  readonly file: DiskFile;
  readonly countingOffset: number;
}

/** What the header pages of one slot say. */
interface SlotHeader {
  readonly segment: Segment;
  readonly page: HeaderPage | null;
  /** The copies that do not say the same as the one that counts. */
  readonly stale: readonly ("front" | "back")[];
  readonly damaged: boolean;
  readonly firstPage: Uint8Array;
}

/** Opens the log that `formatLog` has made. A failed open changes nothing that a later one relies on. */
export function openLog(options: LogOptions, done: OpenDone): void {
  openLogKeeping({ ...options, keep: copyOfRecord }, done);
}

export interface KeepingLogOptions<Kept> extends LogOptions {
  readonly keep: Keep<Kept>;
}

/** The same, for those who keep less of each record than all of its header. */
export function openLogKeeping<Kept>(options: KeepingLogOptions<Kept>, done: OpenDone<Kept>): void {
  const wrong = checkOptions(options);
  if (wrong !== null) {
    done(wrong, null);
    return;
  }
  new Opening(options, done).start();
}

class Opening<Kept> {
  readonly #options: LogOptions;
  readonly #found: FoundRecords<Kept>;
  readonly #done: OpenDone<Kept>;
  readonly #files: DiskFile[] = [];
  readonly #damage: Damage[] = [];

  constructor(options: KeepingLogOptions<Kept>, done: OpenDone<Kept>) {
    this.#options = options;
    this.#found = new FoundRecords(options.keep);
    this.#done = done;
  }

  start(): void {
    this.#options.disk.list((error, names) => {
      if (error !== null) this.#fail(ioFailed("Listing the folder", error));
      else if (!names.includes(VOLUME_FILE)) {
        this.#fail(new LogError("not_formatted", "This folder holds no volume; format it first."));
      } else this.#openVolumeFile(names);
    });
  }

  #fail(error: LogError): void {
    eachInTurn<DiskFile, never>(
      this.#files,
      (file, next) => file.close(() => next(null)),
      () => this.#done(error, null),
    );
  }

  /** Opens and syncs: what a crashed process left in the page cache reaches the medium before it is read from there. */
  #openFile(
    name: string,
    isNew: boolean,
    done: (error: DiskError | null, file: DiskFile | null) => void,
  ): void {
    const whenOpen = (error: DiskError | null, file: DiskFile | null): void => {
      if (error !== null || file === null) {
        done(error, null);
        return;
      }
      this.#files.push(file);
      file.sync((failed) => (failed === null ? done(null, file) : done(failed, null)));
    };
    const { disk, segmentBytes } = this.#options;
    if (isNew) disk.create(name, segmentBytes, whenOpen);
    else disk.open(name, whenOpen);
  }

  #openVolumeFile(names: readonly string[]): void {
    const options = this.#options;
    const identity = makeIdentity(options.clusterId, options.deviceId, options.crc32c);
    this.#openFile(VOLUME_FILE, false, (error, file) => {
      if (error !== null || file === null) {
        this.#fail(ioFailed("Opening the volume file", error as DiskError));
        return;
      }
      readVolumeFile(file, identity, (failed, copy) => {
        if (failed !== null || copy === null) {
          this.#fail(failed as LogError);
          return;
        }
        const refusal = checkGeometry(options, copy.page);
        if (refusal !== null) this.#fail(refusal);
        else {
          const volume = new Volume(options, identity, copy.page.marks);
          this.#openSegments(volume, { file, countingOffset: copy.offset }, names);
        }
      });
    });
  }

  #openSegments(volume: Volume, volumeFile: VolumeFile, names: readonly string[]): void {
    const slots = Array.from({ length: this.#options.segmentCount }, (_, slot) => slot);
    const headers: SlotHeader[] = [];
    const openSlot = (slot: number, next: Next): void => {
      const name = segmentFileName(slot);
      this.#openFile(name, !names.includes(name), (error, file) => {
        if (error !== null || file === null) {
          next(ioFailed(`Opening ${name}`, error ?? new DiskError("io", "no file")));
          return;
        }
        if (file.sizeBytes !== this.#options.segmentBytes) {
          const message = `${name} has ${file.sizeBytes} bytes instead of ${this.#options.segmentBytes}; check the options of this log.`;
          next(new LogError("wrong_geometry", message));
          return;
        }
        this.#readHeader(volume, new Segment(slot, file), headers, next);
      });
    };
    eachInTurn<number, LogError>(slots, openSlot, (error) => {
      if (error !== null) this.#fail(error);
      else this.#recover(volume, volumeFile, headers);
    });
  }

  #readHeader(volume: Volume, segment: Segment, headers: SlotHeader[], next: Next): void {
    const { file, slot } = segment;
    readPages(file, 0, 2 * PAGE_BYTES, (head) =>
      readPages(file, file.sizeBytes - PAGE_BYTES, PAGE_BYTES, (tail) => {
        const copies = [head.subarray(0, PAGE_BYTES), tail].map((bytes) =>
          decodeHeaderPage(volume.identity, bytes),
        );
        const refusal = copies
          .map((copy) => refusalOf(copy, segmentFileName(slot)))
          .find((each) => each !== null);
        if (refusal) {
          next(refusal);
          return;
        }
        const [front, back] = copies.map((copy) =>
          copy.state === "good" && copy.page.slot === slot ? copy.page : null,
        ) as [HeaderPage | null, HeaderPage | null];
        // The copy at the end is written first; of equal ones it is the one that may name a checkpoint.
        const page = (back?.generation ?? 0) >= (front?.generation ?? 0) ? back : front;
        const stale = (["front", "back"] as const).filter(
          (copy) => page !== null && (copy === "front" ? front : back)?.generation !== page.generation,
        );
        const damaged = front === null || back === null;
        headers.push({ segment, page, stale, damaged, firstPage: head.subarray(PAGE_BYTES) });
        next(null);
      }),
    );
  }

  #recover(volume: Volume, volumeFile: VolumeFile, headers: readonly SlotHeader[]): void {
    const candidates: Candidate[] = [];
    for (const { segment, page, damaged, firstPage } of headers) {
      volume.segments.push(segment);
      if (damaged) {
        const kind = page === null ? "segment_lost" : "header_copy_lost";
        this.#damage.push({ kind, slot: segment.slot, generation: page?.generation ?? 0, offset: 0 });
      }
      if (page === null) continue;
      segment.reset(page.generation);
      volume.byGeneration.set(page.generation, segment);
      raiseMarks(volume.marks, page.marks);
      volume.marks.generation = Math.max(volume.marks.generation, page.generation);
      const { segmentBytes } = this.#options;
      const firstFrame = frameAt(volume.identity, firstPage, 0, PAGE_BYTES, page.generation, segmentBytes);
      candidates.push({ segment, firstFrame, checkpointOffset: page.checkpointOffset });
    }
    const recovery = new Recovery(volume, this.#found);
    recovery.run(candidates, (recovered) => {
      this.#damage.push(...recovered.damage);
      const { marks } = volume;
      if (candidates.length < headers.length) marks.generation += GENERATIONS_SKIPPED;
      marks.volumeEpoch++;
      marks.sequence = recovery.lastSequence;
      marks.epochFirstSequence = marks.sequence + 1;
      volume.durableLsn = marks.nextLsn;
      volume.free.push(...recovered.unused);
      this.#commitEpoch(volume, volumeFile, headers, recovered);
    });
  }

  #commitEpoch(
    volume: Volume,
    volumeFile: VolumeFile,
    headers: readonly SlotHeader[],
    recovered: Recovered,
  ): void {
    volume.onPoison = (error) => this.#fail(error);
    const { file, countingOffset } = volumeFile;
    const page = volumePage(this.#options, volume.marks);
    writeVolumeFile(file, volume.identity, page, countingOffset, (error) => {
      if (error !== null) {
        this.#fail(ioFailed("Writing the volume file", error));
        return;
      }
      const repairs = headers.flatMap(({ segment, stale }) => stale.map((copy) => ({ segment, copy })));
      eachInTurn<(typeof repairs)[number], never>(
        repairs,
        ({ segment, copy }, next) =>
          volume.writeHeader(segment, copy, segment.generation, 0, () => next(null)),
        () => this.#finish(volume, recovered),
      );
    });
  }

  #finish(volume: Volume, recovered: Recovered): void {
    const { resume, chainEnd, framesAccepted, framesDiscarded } = recovered;
    if (resume !== null) resume.segment.state = "active";
    const start = { segment: resume?.segment ?? null, offset: resume?.offset ?? 0, chainEnd };
    const { numbers, corruptRecords } = livingOf(volume);
    const log = new ShardLog(volume, start, this.#files);
    const records = new RecoveredRecords(numbers, this.#found);
    const report = { damage: this.#damage, framesAccepted, framesDiscarded };
    this.#done(null, { log, records, corruptRecords, ...report });
  }
}

/** What lives, in the order of the log: the numbers of what can be read, and the names of what cannot. */
function livingOf({ segments, index }: Volume): { numbers: number[]; corruptRecords: RecordId[] } {
  const numbers: number[] = [];
  const corruptRecords: RecordId[] = [];
  for (const { cells } of [...segments].sort((a, b) => a.generation - b.generation)) {
    for (const cell of cells) {
      if (!index.isMeant(cell)) continue;
      if (typeof cell !== "number" && cell.isBad) corruptRecords.push(idOfKey(cell.key));
      else numbers.push(index.numberOf(cell));
    }
  }
  return { numbers, corruptRecords };
}

function checkGeometry(options: LogOptions, page: HeaderPage): LogError | null {
  const names = ["segmentBytes", "segmentCount", "policy"] as const;
  const wrong = names.find((name) => options[name] !== page[name]);
  if (wrong === undefined) return null;
  const message = `This volume was formatted with ${wrong} ${page[wrong]}, not ${options[wrong]}; open it with what it was formatted with.`;
  return new LogError("wrong_geometry", message);
}
