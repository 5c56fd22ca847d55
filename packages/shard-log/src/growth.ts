/** Growth of a volume that is opened with more segments than it has; a volume never shrinks. */
import { isBlank } from "./bytes.ts";
import { type LogDone, LogError } from "./errors.ts";
import { PAGE_BYTES } from "./format.ts";
import { readChecked } from "./frame-scan.ts";
import type { HeaderPage } from "./header-page.ts";
import type { LogOptions } from "./options.ts";
import type { Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";
import { segmentFileName } from "./volume-file.ts";

/** Returns the reason why a volume with this page cannot be opened with these options, or null. */
export function checkGeometry(options: LogOptions, page: HeaderPage): LogError | null {
  const names = ["segmentBytes", "policy"] as const;
  const wrong = names.find((name) => options[name] !== page[name]);
  if (wrong !== undefined) {
    const message = `This volume was formatted with ${wrong} ${page[wrong]}, not ${options[wrong]}; open it with that value.`;
    return new LogError("wrong_geometry", message);
  }
  if (options.segmentCount >= page.segmentCount) return null;
  const message = `This volume has ${page.segmentCount} segments and cannot shrink to ${options.segmentCount}; open it with ${page.segmentCount} or more.`;
  return new LogError("wrong_geometry", message);
}

/**
 * Checks that a segment that no volume page counts has a blank body. Otherwise the volume page is older than the
 * segment, which no power cut causes, and reusing the segment would destroy its records.
 */
export function checkNeverUsed(
  { unreadable }: Pick<Volume, "unreadable">,
  { slot, file }: Segment,
  next: LogDone,
): void {
  readChecked({ file, offset: PAGE_BYTES, bytes: PAGE_BYTES }, unreadable, isBlank, (page) => {
    if (unreadable.firstOffset(file) !== null) {
      const unread = `${segmentFileName(slot)} cannot be read, so it may hold records; try again when the device answers.`;
      next(new LogError("io_failed", unread));
      return;
    }
    const message = `${segmentFileName(slot)} holds records, but the volume file counts fewer segments; its shards must be rebuilt from other devices.`;
    next(unreadable.refusal() ?? (isBlank(page) ? null : new LogError("volume_corrupt", message)));
  });
}

/** Gives a new segment the highest generation, so that it is used after those that are already free. */
export function addSegment(volume: Volume, segment: Segment, done: () => void): void {
  const generation = ++volume.marks.generation;
  volume.writeHeader(segment, "back", generation, 0, () =>
    volume.writeHeader(segment, "front", generation, 0, () => {
      segment.reset(generation);
      volume.segments.push(segment);
      volume.byGeneration.set(generation, segment);
      volume.free.push(segment);
      done();
    }),
  );
}
