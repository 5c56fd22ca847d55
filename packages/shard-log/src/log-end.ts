/** The last frame of a log, as shutdown and the next boot read it from the medium. */
import { alignPage, PAGE_BYTES, type ReadFrame } from "./format.ts";
import { FrameRecords, frameAt, readChecked } from "./frame-scan.ts";
import { UnreadablePages } from "./unreadable-pages.ts";
import type { Volume } from "./volume.ts";

/** Position of a frame. */
export interface FramePlace {
  readonly generation: number;
  readonly offset: number;
}

export interface LogEnd extends FramePlace {
  readonly sequence: number;
  readonly crc: number;
  /**
   * Checksum of its records' headers, which contain the checksums of their payloads; the frame's own checksum covers
   * neither.
   */
  readonly headersCrc: number;
}

/** Passes null if there is no whole frame at this place. */
export function readLogEnd(
  volume: Volume,
  { generation, offset }: FramePlace,
  done: (end: LogEnd | null) => void,
): void {
  const { identity, options } = volume;
  const file = volume.byGeneration.get(generation)?.file;
  if (file === undefined || offset === 0) {
    done(null);
    return;
  }
  const unreadable = new UnreadablePages(0);
  let frame: ReadFrame | null = null;
  const isFrame = (page: Uint8Array): boolean => {
    frame = frameAt(identity, page, 0, offset, generation, options.segmentBytes);
    return frame !== null;
  };
  readChecked({ file, offset, bytes: PAGE_BYTES }, unreadable, isFrame, () => {
    const found = frame;
    if (found === null) {
      done(null);
      return;
    }
    const bytes = alignPage(found.bytes);
    const isWhole = (read: Uint8Array): boolean => new FrameRecords(identity, found, read).isWhole;
    readChecked({ file, offset, bytes }, unreadable, isWhole, (read) => {
      const isRight = unreadable.refusal() === null && isWhole(read);
      done(isRight ? endOf(volume, found, read) : null);
    });
  });
}

function endOf({ identity }: Volume, frame: ReadFrame, read: Uint8Array): LogEnd {
  const crcs = new Uint8Array(8 * frame.recordCount);
  let at = 0;
  // A header begins with its own checksum and that of its payload.
  new FrameRecords(identity, frame, read).forEach((_header, _isGood, start) => {
    crcs.set(read.subarray(start, start + 8), at);
    at += 8;
  });
  const { generation, offset, sequence, crc } = frame;
  return { generation, offset, sequence, crc, headersCrc: identity.crc32c(crcs) };
}

/**
 * Passes true if no frame of this volume epoch or a later one begins at the place. Frames of an earlier epoch are void
 * there: the log has continued before them.
 */
export function hasNoFrameAt(
  { identity, options, byGeneration }: Volume,
  { generation, offset }: FramePlace,
  volumeEpoch: number,
  done: (hasNone: boolean) => void,
): void {
  const file = byGeneration.get(generation)?.file;
  if (file === undefined || offset > options.segmentBytes - 2 * PAGE_BYTES) {
    done(file !== undefined);
    return;
  }
  const unreadable = new UnreadablePages(0);
  let frame: ReadFrame | null = null;
  const isFrame = (page: Uint8Array): boolean => {
    frame = frameAt(identity, page, 0, offset, generation, options.segmentBytes);
    return frame !== null;
  };
  readChecked({ file, offset, bytes: PAGE_BYTES }, unreadable, isFrame, () => {
    const epoch = (frame as ReadFrame | null)?.volumeEpoch ?? 0;
    done(unreadable.refusal() === null && epoch < volumeEpoch);
  });
}
