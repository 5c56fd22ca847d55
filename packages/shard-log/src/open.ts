/**
 * Opens a log: checks the owner of its volume, reads it back, and makes the next volume epoch durable before any write.
 *
 * A volume that is opened with more segments than it has grows first. The new files and their headers are durable
 * before the volume page counts them, and nothing is written into them earlier. After a power cut in between, the next
 * open finds the volume unchanged and continues the growth.
 */
import { PageMemory } from "@stashlight/paged-memory";
import type { DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";
import { addSegment } from "./growth.ts";
import { type GuardScope, guardedDisk } from "./guarded-disk.ts";
import { ShardLog } from "./log.ts";
import { openVolume, type VolumeHeaders } from "./open-volume.ts";
import { checkOptions, type LogOptions } from "./options.ts";
import { idOfKey, type RecordId } from "./record-key.ts";
import type { RecoveryBase } from "./recovered-index.ts";
import {
  copyOfRecord,
  FoundRecords,
  RecordChoice,
  type RecoveredRecord,
  RecoveredRecords,
  type SummariseRecord,
} from "./recovered-records.ts";
import { Recovery, SEQUENCES_SKIPPED } from "./recovery.ts";
import type { Damage, DamageKind, Recovered } from "./recovery-report.ts";
import {
  compareWithSaved,
  type LogResumption,
  restoreBase,
  restoreEnded,
  type SavedLog,
} from "./saved-log.ts";
import type { Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import type { Volume } from "./volume.ts";
import { ioFailed, segmentFileName, volumePage, writeVolumeFile } from "./volume-file.ts";

/**
 * One segment may lose its header or frames to rot. If more have, a controller or a cable is more likely at fault and
 * may recover: they are not reused in this boot.
 */
const SEGMENTS_LOST_TO_ROT_MAX = 1;
/** Kinds of damage that may hide records which a later boot might find. */
const HIDING_RECORDS: readonly DamageKind[] = ["segment_lost", "frame_lost", "record_lost", "tail_lost"];
/** Generations to skip when a header is lost, whose generation might be higher than any other. */
const GENERATIONS_SKIPPED = 2 ** 20;
/** LSNs to skip when the last frames may be hidden, so that their numbers are not assigned again. */
const LSNS_SKIPPED = 2 ** 34;

/**
 * An opened log, with the findings of recovery. `Kept` is the data that the caller keeps of each record, by default its
 * full header.
 */
export interface OpenedLog<Kept = RecoveredRecord> {
  readonly log: ShardLog;
  /**
   * Every live record without its payload, in the order of the log. All of them are durable. `release` frees their
   * memory and that of the damaged ones, and has to be called if the log was given one for its start.
   */
  readonly records: RecoveredRecords<Kept>;
  /**
   * Live records whose header is right and whose payload fails its checksum, or is known to be lost. They stay in the log
   * until they are appended again or killed.
   */
  readonly damagedRecords: RecoveredRecords<Kept>;
  /** Ids of the records whose payload may be readable later; the loss of the others is confirmed. */
  readonly corruptRecords: readonly RecordId[];
  /** Segments kept for a later boot, which may hold more records: one of their pages could not be read. */
  readonly unreadableSegmentCount: number;
  /** Segments kept for a later boot because several have lost records, which rot does not explain. */
  readonly suspectSegmentCount: number;
  /**
   * No segment is free, although two are kept back for compaction: the drive lost writes that it had acknowledged,
   * such as headers of recycled segments, or the segment being written is damaged. Records that were found can be
   * read, and nothing can be written.
   */
  readonly hasLostReserve: boolean;
  /** True if the log was continued from a saved state: `records` are only those that were written afterwards. */
  readonly isResumed: boolean;
  /** Keys of saved records that were killed, replaced or moved since; those that live are among `records`. */
  readonly displacedKeys: readonly string[];
  readonly damage: readonly Damage[];
  readonly framesAccepted: number;
  readonly framesDiscarded: number;
}

export type OpenDone<Kept = RecoveredRecord> = (
  error: LogError | null,
  opened: OpenedLog<Kept> | null,
) => void;
export interface OpenLogOptions extends LogOptions {
  /** State in which the log was left, from which the opening may continue. */
  readonly resume?: LogResumption;
}

/** Opens the log that `formatLog` has made. A failed open changes nothing that a later one relies on. */
export function openLog(options: OpenLogOptions, done: OpenDone): void {
  openLogKeeping({ ...options, keep: copyOfRecord }, done);
}

export interface KeepingLogOptions<Kept> extends OpenLogOptions {
  readonly keep: SummariseRecord<Kept>;
}

/** Opens the log for a caller that keeps less of each record than its full header. */
export function openLogKeeping<Kept>(options: KeepingLogOptions<Kept>, done: OpenDone<Kept>): void {
  const wrong = checkOptions(options);
  if (wrong !== null) {
    done(wrong, null);
    return;
  }
  new Opening(options, done).start();
}

class Opening<Kept> {
  readonly #options: Omit<KeepingLogOptions<Kept>, "resume">;
  /** Separate from the options, which stay in memory while the log is open. */
  readonly #resumption: LogResumption | null;
  readonly #found: FoundRecords;
  /** Held by the files of the log while they are open, which therefore hold nothing else of the opening. */
  readonly #scope: GuardScope = { volume: null };
  readonly #done: OpenDone<Kept>;
  readonly #files: DiskFile[] = [];
  readonly #damage: Damage[] = [];
  #isResumed = false;

  constructor({ resume, ...options }: KeepingLogOptions<Kept>, done: OpenDone<Kept>) {
    this.#options = { ...options, disk: guardedDisk(options.disk, this.#scope) };
    this.#resumption = resume ?? null;
    this.#found = new FoundRecords(options.startMemory ?? new PageMemory());
    this.#done = done;
  }

  start(): void {
    const owner = { files: this.#files, scope: this.#scope, fail: (error: LogError) => this.#fail(error) };
    openVolume(this.#options, owner, (opened) => this.#continue(opened));
  }

  #fail(error: LogError): void {
    eachInTurn<DiskFile, never>(
      this.#files,
      (file, next) => file.close(() => next(null)),
      () => this.#done(error, null),
    );
  }

  /** Continues from the saved state, if the log still contains it. */
  #continue(opened: VolumeHeaders): void {
    this.#damage.push(...opened.damage);
    const { volume, headers, candidates, added } = opened;
    const resume = this.#resumption;
    if (resume === null) {
      this.#scan(opened);
      return;
    }
    const { saved } = resume;
    const isUnused = candidates.every(
      ({ segment, firstFrame }) => firstFrame === null || saved.segments[segment.slot]?.state !== "free",
    );
    const decide = (difference: string | null): void => {
      const isLonger = saved.isEnd && !isUnused;
      const refusal = difference ?? (isLonger ? "the log continues in another segment" : null);
      resume.decide(refusal, (mayResume) =>
        volume.guard(() => {
          if (refusal !== null || !mayResume) this.#scan(opened);
          else if (saved.isEnd) this.#resume(opened, saved);
          else this.#readOn(opened, resume);
        }),
      );
    };
    if (added.length > 0) decide("the volume grows");
    else compareWithSaved(volume, headers, resume, decide);
  }

  /** Continues the log as it was left. */
  #resume(opened: VolumeHeaders, saved: SavedLog): void {
    const { volume } = opened;
    const recovered = restoreEnded(volume, saved);
    const { marks } = volume;
    marks.volumeEpoch++;
    marks.epochFirstSequence = saved.lastSequence + 1;
    volume.durableLsn = marks.nextLsn;
    volume.free.push(...recovered.unused);
    this.#isResumed = true;
    this.#commitEpoch(opened, recovered);
  }

  /** Continues the log from the saved state, with all later records. */
  #readOn(opened: VolumeHeaders, resume: LogResumption): void {
    this.#isResumed = true;
    this.#scan(opened, restoreBase(opened.volume, opened.candidates, resume));
  }

  #scan(opened: VolumeHeaders, base: RecoveryBase | null = null): void {
    const { volume, headers, candidates, added } = opened;
    const recovery = new Recovery(volume, this.#found, base);
    recovery.run(candidates, (recovered) => {
      const refusal = volume.unreadable.refusal() ?? refusalToReadOn(base, recovered);
      if (refusal !== null) {
        this.#fail(refusal);
        return;
      }
      this.#damage.push(...recovered.damage);
      this.#damage.push(...this.#quarantine(volume));
      const { marks } = volume;
      if (candidates.length < headers.length) marks.generation += GENERATIONS_SKIPPED;
      const isEndHidden = mayHideEnd(volume, recovered);
      if (isEndHidden) marks.nextLsn += LSNS_SKIPPED;
      marks.volumeEpoch++;
      marks.sequence = recovery.durableSequence;
      marks.epochFirstSequence = recovery.lastSequence + (isEndHidden ? SEQUENCES_SKIPPED : 0) + 1;
      volume.durableLsn = marks.nextLsn;
      volume.free.push(...recovered.unused);
      eachInTurn<Segment, never>(
        added,
        (segment, next) => addSegment(volume, segment, () => next(null)),
        () => this.#commitEpoch(opened, recovered),
      );
    });
  }

  /** Keeps segments that may hold more records than were found, so that a later boot can read them. */
  #quarantine({ segments, unreadable }: Volume): Damage[] {
    const hidingSlots = new Set(
      this.#damage.flatMap(({ kind, slot }) => (HIDING_RECORDS.includes(kind) ? [slot] : [])),
    );
    const isRotExcluded = hidingSlots.size > SEGMENTS_LOST_TO_ROT_MAX && this.#options.acceptsLosses !== true;
    return segments.flatMap((segment): Damage[] => {
      const offset = unreadable.firstOffset(segment.file);
      const { slot, generation } = segment;
      const isSuspect = isRotExcluded && hidingSlots.has(slot);
      segment.isQuarantined = offset !== null || isSuspect;
      return offset === null ? [] : [{ kind: "page_unreadable", slot, generation, offset }];
    });
  }

  #commitEpoch({ volume, volumeFile, headers }: VolumeHeaders, recovered: Recovered): void {
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
    const { resume, chainEnd, framesAccepted, framesDiscarded, displacedKeys } = recovered;
    if (resume !== null) resume.segment.state = "active";
    const start = { segment: resume?.segment ?? null, offset: resume?.offset ?? 0, chainEnd };
    const { readable, damaged } = livingRecords(volume, this.#found.count);
    const corruptRecords = listCorruptRecords(volume);
    for (const entry of volume.index.awakeEntries()) volume.rest(entry);
    const log = new ShardLog(volume, start, this.#files);
    const records = new RecoveredRecords(readable, this.#found, this.#options.keep);
    const damagedRecords = new RecoveredRecords(damaged, this.#found, this.#options.keep);
    const kept = volume.segments.filter(({ isQuarantined }) => isQuarantined);
    const unreadable = kept.filter(({ file }) => volume.unreadable.firstOffset(file) !== null);
    const unreadableSegmentCount = unreadable.length;
    const suspectSegmentCount = kept.length - unreadableSegmentCount;
    const hasLostReserve = resume === null && volume.segments.every(isInUse);
    const segments = { unreadableSegmentCount, suspectSegmentCount, hasLostReserve };
    const report = {
      isResumed: this.#isResumed,
      displacedKeys,
      damage: this.#damage,
      framesAccepted,
      framesDiscarded,
      ...segments,
    };
    this.#done(null, { log, records, damagedRecords, corruptRecords, ...report });
  }
}

/** Returns true for a segment that becomes free only when the records that live in it are moved or killed. */
const isInUse = ({ state, liveCount, isQuarantined }: Segment): boolean =>
  state === "sealed" && liveCount > 0 && !isQuarantined;

/** Returns true if a later boot may find frames after the end that this one found. */
function mayHideEnd({ segments }: Volume, { chainEnd, damage }: Recovered): boolean {
  const isKept = segments.some(
    ({ isQuarantined, state, generation }) =>
      isQuarantined && (state === "lost" || generation >= chainEnd.generation),
  );
  return isKept || damage.some(({ kind }) => kind === "tail_lost");
}

/**
 * Returns an error for too many changes, or for damage, after the saved state: only an opening that reads the whole log
 * finds all losses.
 */
function refusalToReadOn(base: RecoveryBase | null, { damage, displacedKeys }: Recovered): LogError | null {
  const [first] = damage;
  if (base === null) return null;
  if (displacedKeys.length > base.displacedMax) {
    const message = "The log has changed too much since it was saved; open it again to read all of it.";
    return new LogError("resume_failed", message);
  }
  if (first === undefined) return null;
  const { kind, slot, offset } = first;
  const message = `Damage (${kind}) was found in ${segmentFileName(slot)} at ${offset}, behind what was saved of the log; open it again to read all of it.`;
  return new LogError("resume_failed", message);
}

function listCorruptRecords({ damaged }: Volume): RecordId[] {
  return [...damaged].filter(({ isLossConfirmed }) => !isLossConfirmed).map(({ key }) => idOfKey(key));
}

interface LivingRecords {
  readonly readable: RecordChoice;
  readonly damaged: RecordChoice;
}

/** Live records among those found, the readable and the damaged ones. */
function livingRecords({ segments, index }: Volume, foundCount: number): LivingRecords {
  const readable = new RecordChoice(foundCount);
  const damaged = new RecordChoice(foundCount);
  for (const segment of [...segments].sort((a, b) => a.generation - b.generation)) {
    const { unreadCellCount, firstNumber } = segment;
    for (let cell = unreadCellCount; cell < segment.cells.count; cell++) {
      if (index.keptBytesAt(segment, cell) === 0) continue;
      const isBad = index.awakeAt(segment, cell)?.isBad === true;
      (isBad ? damaged : readable).add(firstNumber + cell - unreadCellCount);
    }
  }
  return { readable, damaged };
}
