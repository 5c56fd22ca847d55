export { crc32c } from "./crc32c.ts";
export { MemoryDisk, type OperationName, type PageFate } from "./memory-disk.ts";
export {
  answerOf,
  bytesOf,
  idOf,
  openedLog,
  openedLogKeeping,
  recordOf,
  smallOptions,
  textOf,
} from "./samples.ts";
