/**
 * Slow drives that share model and firmware, which suggests a cause that a replacement of the same kind does not cure.
 */
export interface DriveKind {
  readonly id: string;
  /** Null if the drive does not report it. */
  readonly model: string | null;
  readonly firmware: string | null;
}

export interface FirmwareCluster {
  readonly model: string;
  readonly firmware: string;
  readonly slowCount: number;
  readonly driveCount: number;
}

const SLOW_COUNT_MIN = 3;
const SLOW_SHARE_MIN = 0.7;

export function findFirmwareCluster(
  kind: DriveKind,
  drives: readonly DriveKind[],
  isSlow: (id: string) => boolean,
): FirmwareCluster | null {
  const { model, firmware } = kind;
  if (model === null || firmware === null) return null;
  const alike = drives.filter((each) => each.model === model && each.firmware === firmware);
  const others = drives.filter((each) => !alike.includes(each));
  const slowCount = alike.filter(({ id }) => isSlow(id)).length;
  const isOfKind = slowCount >= SLOW_COUNT_MIN && slowCount >= SLOW_SHARE_MIN * alike.length;
  const areOthersSlow = others.some(({ id }) => isSlow(id));
  return isOfKind && !areOthersSlow ? { model, firmware, slowCount, driveCount: alike.length } : null;
}
