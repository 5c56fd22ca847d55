export { type Crc32c, type Crc32cEngine, type Crc32cOptions, crc32c, createCrc32c } from "./crc32c.ts";
export type { WasmMemory } from "./kernel/fold.ts";
