/** Divides the space of a drive into segments, each of which keeps two files open. */
import { SetupError } from "../setup-error.ts";

const MIB = 1_048_576;
const SEGMENT_COUNT_MIN = 6;
/** Above this number segments get larger, so that a drive can grow and its process keeps few files open. */
const SEGMENT_COUNT_WANTED = 256;
const SEGMENT_BYTES_MAX = 65_536 * MIB;

export interface Volume {
  readonly segmentBytes: number;
  readonly segmentCount: number;
}

/** Throws a SetupError for a drive too small for six segments. */
export function planVolume(role: "pod" | "stash", driveBytes: number): Volume {
  let segmentBytes = (role === "pod" ? 8 : 4) * MIB;
  const smallest = SEGMENT_COUNT_MIN * segmentBytes;
  if (driveBytes < smallest) {
    throw new SetupError(
      `size.${role} must be ${smallest / MIB}MiB or more, and ${Math.floor(driveBytes / MIB)}MiB is not.`,
    );
  }
  while (driveBytes / segmentBytes > SEGMENT_COUNT_WANTED && segmentBytes < SEGMENT_BYTES_MAX)
    segmentBytes *= 2;
  return { segmentBytes, segmentCount: Math.floor(driveBytes / segmentBytes) };
}
