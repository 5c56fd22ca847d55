export { crc32c } from "./crc32c.ts";
export { fewPages } from "./few-pages.ts";
export { MemoryDisk, type OperationName, type PageFate } from "./memory-disk.ts";
export {
  collectAnswer,
  decodeText,
  encodeText,
  makeRecord,
  makeRecordId,
  openedLog,
  openedLogKeeping,
  smallOptions,
} from "./samples.ts";
