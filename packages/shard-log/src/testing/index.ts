export { crc32c } from "./crc32c.ts";
export { MemoryDisk, type OperationName, type PageFate } from "./memory-disk.ts";
export { answerOf, bytesOf, idOf, openedLog, recordOf, smallOptions, textOf } from "./samples.ts";
