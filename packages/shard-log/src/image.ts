/**
 * Single structures of a volume's image, for judging a medium without asking the log that wrote it. They are checked as
 * in recovery; FORMAT.md defines which frames count.
 */
export {
  type Identity,
  makeIdentity,
  PAGE_BYTES,
  RECORD_ALIGN_BYTES,
  RECORD_HEADER_BYTES,
  type ReadFrame,
  type RecordHeader,
} from "./format.ts";
export { type FoundRecord, findRecords, frameAt } from "./frame-scan.ts";
export { decodeHeaderPage, type HeaderPage } from "./header-page.ts";
export { decodePurges, type Purge } from "./purge-list.ts";
export { idOfKey, keyOfHeader, keyOfHex, packRecordKey } from "./record-key.ts";
export { segmentFileName, VOLUME_FILE } from "./volume-file.ts";
