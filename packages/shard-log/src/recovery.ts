/**
 * Reads the log back, oldest generation first. FORMAT.md defines which frames count; in short, a frame that a durable
 * witness attests counts if it is whole, even if frames before it are missing, and missing attested frames are
 * damage. After the last witness, the log ends at the first frame that is not whole or does not continue the chain.
 */
import type { ChainEnd } from "./committer.ts";
import type { LogError } from "./errors.ts";
import { alignPage, FRAME_HEADER_BYTES, PAGE_BYTES, RECORD_HEADER_BYTES, type ReadFrame } from "./format.ts";
import {
  FrameRecords,
  findRecords,
  frameAt,
  PageBuffer,
  parseDirectory,
  readChecked,
  scanFrames,
} from "./frame-scan.ts";
import type { HeaderView } from "./record-header.ts";
import { RecoveredIndex, type RecoveryBase } from "./recovered-index.ts";
import type { FoundRecords } from "./recovered-records.ts";
import type { Candidate, Damage, DamageKind, Recovered } from "./recovery-report.ts";
import type { Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import type { Volume } from "./volume.ts";

/**
 * Sequences to skip when the last frames may be hidden, so that a later boot which finds them does not take them for
 * void. Far more than the skipped segments can hold.
 */
export const SEQUENCES_SKIPPED = 2 ** 26;

interface Witness {
  readonly epoch: number;
  readonly firstSequence: number;
}

export class Recovery {
  readonly #volume: Volume;
  readonly #witnesses: Witness[];
  /** Sequences up to here are attested to be durable, or precede the newest epoch. */
  #attested: number;
  /** Sequences up to here are attested by a frame or a header page. */
  #durable: number;
  #lastUsedGeneration = 0;
  #last: (ChainEnd & Pick<ReadFrame, "sequence">) | null = null;
  readonly #base: RecoveryBase | null;
  readonly #index: RecoveredIndex;
  /** Sequence before a torn frame whose predecessor was recycled. */
  #precedingSequence = 0;
  #damage: Damage[] = [];
  #framesAccepted = 0;
  #framesDiscarded = 0;
  #resume: Recovered["resume"] = null;

  /**
   * `marks.sequence` and `marks.epochFirstSequence` are the highest in any header page. With a base, the volume already
   * contains everything up to the base.
   */
  constructor(volume: Volume, found: FoundRecords, base: RecoveryBase | null = null) {
    const { marks } = volume;
    this.#base = base;
    // A recycled segment also lost its later frames.
    if (base !== null && volume.isOnMedium(base.chainEnd.generation))
      this.#last = { ...base.chainEnd, sequence: base.sequence };
    this.#volume = volume;
    this.#index = new RecoveredIndex(volume, found, base, (...damage) => this.#report(...damage));
    this.#witnesses = [{ epoch: marks.volumeEpoch, firstSequence: marks.epochFirstSequence }];
    this.#attested = Math.max(marks.sequence, marks.epochFirstSequence - 1);
    this.#durable = marks.sequence;
  }

  run(candidates: readonly Candidate[], done: (recovered: Recovered) => void): void {
    const inOrder = candidates.filter((each) => this.#isToRead(each));
    inOrder.sort((a, b) => a.generation - b.generation);
    this.#lastUsedGeneration = this.#base?.active?.segment.generation ?? 0;
    for (const { firstFrame } of inOrder) if (firstFrame !== null) this.#witness(firstFrame);
    for (const { firstFrame, generation } of inOrder) {
      if (firstFrame !== null && !this.#isVoid(firstFrame)) this.#lastUsedGeneration = generation;
    }
    const unused = inOrder.filter(({ generation }) => generation > this.#lastUsedGeneration);
    this.#probe(unused, (neverUsed) => {
      const used = inOrder.filter((each) => !neverUsed.includes(each));
      eachInTurn<Candidate, LogError>(
        used,
        (candidate, next) => this.#segment(candidate, () => next(this.#volume.unreadable.refusal())),
        () => {
          this.#checkTail(neverUsed[0]?.segment);
          done({
            damage: this.#damage,
            framesAccepted: this.#framesAccepted,
            framesDiscarded: this.#framesDiscarded,
            chainEnd: this.#last ?? { crc: 0, generation: 0, offset: 0 },
            resume: this.#resume,
            unused: neverUsed.map((each) => each.segment),
            displacedKeys: this.#index.displacedKeys,
          });
        },
      );
    });
  }

  #isToRead({ segment, generation }: Candidate): boolean {
    const base = this.#base;
    return base === null || segment === base.active?.segment || generation > base.generation;
  }

  /**
   * Segments are used in the order of their generations, so among those without a first frame only the next one in turn
   * can hold frames whose beginning is gone; those after the first that holds none were never used.
   */
  #probe(unused: readonly Candidate[], done: (neverUsed: readonly Candidate[]) => void): void {
    const [first, ...rest] = unused;
    if (first === undefined) {
      done([]);
      return;
    }
    const { file, generation } = first.segment;
    const isVoid = (frame: ReadFrame): boolean => this.#isVoid(frame);
    scanFrames(this.#volume, file, generation, isVoid, (frames) => {
      if (frames.length === 0 && this.#volume.unreadable.firstOffset(file) === null) {
        done(unused);
        return;
      }
      this.#lastUsedGeneration = generation;
      this.#probe(rest, done);
    });
  }

  /** The last durable sequence, whether or not its frame was found. */
  get durableSequence(): number {
    return Math.max(this.#last?.sequence ?? 0, this.#durable);
  }

  /** The last sequence that may have been assigned. */
  get lastSequence(): number {
    return Math.max(this.durableSequence, this.#attested);
  }

  #attest({ durableSequence }: ReadFrame): void {
    this.#durable = Math.max(this.#durable, durableSequence);
    this.#attested = Math.max(this.#attested, durableSequence);
  }

  #witness(frame: ReadFrame): void {
    const { marks } = this.#volume;
    marks.volumeEpoch = Math.max(marks.volumeEpoch, frame.volumeEpoch);
    const isKnown = this.#witnesses.some((each) => each.epoch === frame.volumeEpoch);
    if (!isKnown) {
      this.#witnesses.push({ epoch: frame.volumeEpoch, firstSequence: frame.epochFirstSequence });
    }
  }

  /** Returns true for a frame that was written before a restart which found the log to end before it. */
  #isVoid(frame: ReadFrame): boolean {
    return this.#witnesses.some(
      (each) => each.epoch > frame.volumeEpoch && each.firstSequence <= frame.sequence,
    );
  }

  #segment({ segment, checkpointOffset }: Candidate, next: () => void): void {
    const active = this.#base?.active ?? null;
    segment.state = "sealed";
    if (segment === active?.segment) {
      const scanned = (): void => {
        // A segment checkpoint has ended the segment, and hides what would be written after it.
        if (checkpointOffset > 0) this.#resume = null;
        next();
      };
      this.#scan(segment, scanned, active.offset);
    } else if (checkpointOffset > 0) this.#checkpoint(segment, checkpointOffset, next);
    else this.#scan(segment, next);
  }

  #scan(segment: Segment, next: () => void, from = PAGE_BYTES): void {
    const isVoid = (frame: ReadFrame): boolean => this.#isVoid(frame);
    const take = (all: readonly ReadFrame[]): void => {
      for (const frame of all) this.#witness(frame);
      const frames = all.filter((frame) => !this.#isVoid(frame));
      for (const frame of frames) this.#attest(frame);
      // Before a segment is used, everything in the earlier ones is durable.
      const isLast = segment.generation === this.#lastUsedGeneration;
      this.#accept(segment, from, frames, isLast ? this.#attested : Number.POSITIVE_INFINITY, next);
    };
    scanFrames(this.#volume, segment.file, segment.generation, isVoid, take, from);
  }

  /** Takes the frames that count, in order, from an offset on; sets the position for further writes. */
  #accept(
    segment: Segment,
    from: number,
    frames: readonly ReadFrame[],
    attested: number,
    next: () => void,
  ): void {
    const damageBefore = this.#damage.length;
    let end = from;
    let isEnded = false;
    // Copies the headers to keep, and nothing else of a frame.
    const buffer = new PageBuffer();
    const step = (frame: ReadFrame, nextFrame: (error: null) => void): void => {
      const isChained = frame.offset === end && this.#continuesChain(frame);
      const isAttested = frame.sequence <= attested;
      // Everything before the first unattested frame was durable, readable or not.
      const isNext = isChained || frame.sequence - 1 <= attested;
      if (isEnded || !isNext) {
        isEnded = true;
        this.#framesDiscarded++;
        nextFrame(null);
        return;
      }
      this.#readFrame(segment, frame, buffer, (records) => {
        if (!records.isWhole && !isAttested) {
          isEnded = true;
          this.#framesDiscarded++;
          // The frames before it were found, or recycled.
          if (isChained && !this.#follows(frame)) this.#precedingSequence = frame.sequence - 1;
        } else {
          if (!isChained) this.#report("frame_lost", segment, end);
          end = frame.offset + alignPage(frame.bytes);
          this.#takeRecords(segment, frame, records);
        }
        nextFrame(null);
      });
    };
    eachInTurn<ReadFrame, never>(frames, step, () => {
      const isKnown = segment === this.#base?.active?.segment;
      if (frames.length === 0 && !isKnown) this.#report("frame_lost", segment, PAGE_BYTES);
      // If nothing counts, writes from the start: a skipped segment would later be missed.
      const isSound =
        this.#damage.length === damageBefore && this.#volume.unreadable.firstOffset(segment.file) === null;
      this.#resume = isSound ? { segment, offset: end } : null;
      next();
    });
  }

  #readFrame(
    { file }: Segment,
    frame: ReadFrame,
    buffer: PageBuffer,
    done: (records: FrameRecords) => void,
  ): void {
    const { identity, unreadable } = this.#volume;
    let records: FrameRecords;
    const isWhole = (read: Uint8Array): boolean => {
      records = new FrameRecords(identity, frame, read);
      return records.isWhole;
    };
    const range = { file, offset: frame.offset, bytes: alignPage(frame.bytes), buffer };
    readChecked(range, unreadable, isWhole, () => done(records));
  }

  #takeRecords(segment: Segment, frame: ReadFrame, records: FrameRecords): void {
    if (records.count < frame.recordCount) this.#report("record_lost", segment, frame.offset);
    this.#take(frame);
    records.forEach((header, isGood) => {
      const isRead = isGood && header.type === "purgeList";
      this.#index.apply(segment, header, isRead ? header.payloadBehind : null, !isGood);
    });
  }

  #take(frame: ReadFrame): void {
    this.#last = frame;
    this.#framesAccepted++;
    const { marks } = this.#volume;
    marks.nextLsn = Math.max(marks.nextLsn, frame.firstLsn + frame.recordCount);
  }

  /** Returns true if the last accepted frame is the one before this one, or the one before this one was recycled. */
  #continuesChain(frame: ReadFrame): boolean {
    const last = this.#last;
    // A log whose end was hidden continued without it.
    const isFirstOfEpoch = frame.sequence === frame.epochFirstSequence;
    if (isFirstOfEpoch && frame.sequence - (last?.sequence ?? 0) > SEQUENCES_SKIPPED / 2) return true;
    if (last === null || last.generation !== frame.previousGeneration) return !this.#follows(frame);
    return frame.previousCrc === last.crc;
  }

  /** Returns true if the frame before this one should have been found: its generation has not been recycled. */
  #follows(frame: ReadFrame): boolean {
    return this.#volume.isOnMedium(frame.previousGeneration);
  }

  #checkpoint(segment: Segment, offset: number, next: () => void): void {
    const { identity, unreadable } = this.#volume;
    const { file, generation } = segment;
    const walk = (): void => {
      this.#report("checkpoint_lost", segment, offset);
      this.#scan(segment, next);
    };
    let frame: ReadFrame | null = null;
    const isFrame = (page: Uint8Array): boolean => {
      frame = frameAt(identity, page, 0, offset, generation, file.sizeBytes);
      return frame !== null;
    };
    readChecked({ file, offset, bytes: PAGE_BYTES }, unreadable, isFrame, () => {
      if (frame === null) walk();
      else this.#directory(segment, frame, walk, next);
    });
  }

  #directory(segment: Segment, frame: ReadFrame, walk: () => void, next: () => void): void {
    const { identity, unreadable } = this.#volume;
    const { file, generation } = segment;
    let headers: readonly HeaderView[] | null = null;
    const isDirectory = (bytes: Uint8Array): boolean => {
      const [record] = findRecords(identity, frame, bytes);
      const isCheckpoint = record?.header.type === "checkpoint" && record.payload !== null;
      headers = isCheckpoint ? parseDirectory(identity, record.payload as Uint8Array, generation) : null;
      return headers !== null;
    };
    const range = { file, offset: frame.offset, bytes: alignPage(frame.bytes) };
    readChecked(range, unreadable, isDirectory, () => {
      if (headers === null) walk();
      else this.#applyDirectory(segment, frame, headers, next);
    });
  }

  #applyDirectory(
    segment: Segment,
    frame: ReadFrame,
    headers: readonly HeaderView[],
    next: () => void,
  ): void {
    this.#attest(frame);
    eachInTurn<HeaderView, never>(
      headers,
      (header, nextHeader) => {
        if (header.type === "purgeList") this.#purgeList(segment, header, () => nextHeader(null));
        else {
          this.#index.apply(segment, header, null, false);
          nextHeader(null);
        }
      },
      () => {
        this.#take(frame);
        this.#resume = null;
        next();
      },
    );
  }

  /** Reads a purge list that a checkpoint names. */
  #purgeList(segment: Segment, header: HeaderView, next: () => void): void {
    const { identity, unreadable } = this.#volume;
    const { file } = segment;
    const offset = Math.floor(header.offset / PAGE_BYTES) * PAGE_BYTES;
    const start = header.offset - offset + RECORD_HEADER_BYTES;
    const bytes = alignPage(start + header.payloadBytes);
    if (offset + bytes > file.sizeBytes) {
      this.#index.apply(segment, header, null, true);
      next();
      return;
    }
    const payloadIn = (read: Uint8Array): Uint8Array => read.subarray(start, start + header.payloadBytes);
    const isRight = (read: Uint8Array): boolean => identity.crc32c(payloadIn(read)) === header.payloadCrc;
    readChecked({ file, offset, bytes }, unreadable, isRight, (read) => {
      const payload = isRight(read) ? payloadIn(read) : null;
      this.#index.apply(segment, header, payload, payload === null);
      next();
    });
  }

  /** Reports attested frames that are missing at the end of the log. `next` is the first segment without frames. */
  #checkTail(next: Segment | undefined): void {
    const found = Math.max(this.#last?.sequence ?? 0, this.#precedingSequence);
    if (found >= this.#durable) return;
    const used = this.#volume.byGeneration.get(this.#lastUsedGeneration);
    // A base hides which segments were used before it, and only an opening without it shows what is lost.
    const segment = used ?? (this.#base === null ? undefined : next);
    if (segment !== undefined) this.#report("tail_lost", segment, this.#resume?.offset ?? FRAME_HEADER_BYTES);
    this.#resume = null;
  }

  #report(kind: DamageKind, segment: Segment, offset: number): void {
    this.#damage.push({ kind, slot: segment.slot, generation: segment.generation, offset });
  }
}
