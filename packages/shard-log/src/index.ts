export {
  type Disk,
  type DiskDone,
  DiskError,
  type DiskErrorCode,
  type DiskFile,
  type FileDone,
} from "./disk.ts";
export { type LogDone, LogError, type LogErrorCode } from "./errors.ts";
export { type Crc32c, type RecordHeader, type RecordType, recordBytes } from "./format.ts";
export type { LogPolicy, Marks } from "./header-page.ts";
export type { LogStats, RecordInput, ShardLog } from "./log.ts";
export * from "./open.ts";
export type { LogOptions } from "./options.ts";
export type { LogRecord, ReadDone } from "./read-record.ts";
export type { RecordId } from "./record-key.ts";
export {
  copyOfRecord,
  type RecoveredRecord,
  type RecoveredRecords,
  type SummariseRecord,
} from "./recovered-records.ts";
export type { Damage, DamageKind } from "./recovery-report.ts";
export type { LogResumption, SavedLog } from "./saved-log.ts";
export type { ScrubDone, ScrubResult } from "./scrub.ts";
export { liveBytesMax, type SpaceClass } from "./space-limits.ts";
export type { LogCounters } from "./volume.ts";
export { formatLog, isVolumeFile } from "./volume-file.ts";
