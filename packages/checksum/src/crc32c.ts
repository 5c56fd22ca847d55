/**
 * CRC32C (Castagnoli; RFC 3720), the checksum of records and segments. It has two implementations that agree bit for
 * bit: a WebAssembly kernel for long inputs, and tables in plain JavaScript for short ones and for engines without
 * SIMD.
 */
import assert from "node:assert/strict";
import {
  createMemory,
  FOLD_BYTES,
  type Fold,
  isKernelSupported,
  isMemory,
  loadFold,
  type WasmMemory,
} from "./kernel/fold.ts";
import { updateByTable } from "./table.ts";

/**
 * Computes the checksum of `bytes`, an unsigned 32-bit number. If `previous` is the checksum of earlier bytes, the
 * result covers those bytes followed by `bytes`.
 */
export type Crc32c = (bytes: Uint8Array, previous?: number) => number;

/** Implementations for long inputs, best first. */
const CRC32C_ENGINES = ["relaxed-simd", "simd", "js"] as const;
export type Crc32cEngine = (typeof CRC32C_ENGINES)[number];

export interface Crc32cOptions {
  /** Bytes in this memory are read in place; other bytes are copied to a small buffer first. */
  readonly memory?: WasmMemory;
  /** Defaults to the best available engine. */
  readonly engine?: Crc32cEngine;
}

/** Updates the register with all of `bytes`. */
type Update = (register: number, bytes: Uint8Array) => number;

/** Below this length the tables are faster than the kernel, whose last step takes about 0.25 us. */
const SHORT_BYTES = 256;
const PAGE_BYTES = 65_536;
/** Small enough that copied bytes stay in the L1 cache until they are read. */
const CHUNK_BYTES = 16_384;

export function createCrc32c({ memory, engine = bestEngine() }: Crc32cOptions = {}): Crc32c {
  assert(
    memory === undefined || isMemory(memory),
    "The memory given to CRC32C must be a WebAssembly.Memory.",
  );
  assert(
    isSupported(engine),
    `CRC32C by "${engine}" does not run on this JavaScript engine; supported are: ${supportedEngines().join(", ")}.`,
  );
  const long = createUpdate(engine, memory);
  return (bytes, previous = 0) => {
    if (previous !== previous >>> 0) {
      assert.fail(`The previous CRC32C must be an integer from 0 to 4294967295; ${previous} was given.`);
    }
    const register = ~previous;
    const isShort = bytes.length < SHORT_BYTES;
    const updated = isShort ? updateByTable(register, bytes, 0, bytes.length) : long(register, bytes);
    return ~updated >>> 0;
  };
}

export function supportedEngines(): Crc32cEngine[] {
  return CRC32C_ENGINES.filter(isSupported);
}

let sharedCrc32c: Crc32c | null = null;

/** Computes the checksum with the best engine, which is loaded at the first call. */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  sharedCrc32c ??= createCrc32c();
  return sharedCrc32c(bytes, previous);
}

function bestEngine(): Crc32cEngine {
  return CRC32C_ENGINES.find(isSupported) as Crc32cEngine;
}

function isSupported(engine: Crc32cEngine): boolean {
  return engine === "js" || isKernelSupported(engine);
}

function createUpdate(engine: Crc32cEngine, memory: WasmMemory | undefined): Update {
  if (engine === "js") return (register, bytes) => updateByTable(register, bytes, 0, bytes.length);
  const own = createMemory(1);
  const copying = updateByCopy(loadFold(engine, own), new Uint8Array(own.buffer, 0, PAGE_BYTES));
  if (memory === undefined) return copying;
  const fold = loadFold(engine, memory);
  return (register, bytes) =>
    bytes.buffer === memory.buffer
      ? updateInPlace(fold, register, bytes, bytes.byteOffset, bytes.length)
      : copying(register, bytes);
}

/** Updates the register with the first `length` of `bytes`; they are at `address` in the memory of `fold`. */
function updateInPlace(
  fold: Fold,
  register: number,
  bytes: Uint8Array,
  address: number,
  length: number,
): number {
  const folded = length - (length % FOLD_BYTES);
  const after = folded === 0 ? register : fold(address, address + folded, register);
  return updateByTable(after, bytes, folded, length);
}

function updateByCopy(fold: Fold, window: Uint8Array): Update {
  return (register, bytes) => {
    let after = register;
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      const chunk = bytes.subarray(from, from + CHUNK_BYTES);
      window.set(chunk);
      after = updateInPlace(fold, after, window, 0, chunk.length);
    }
    return after;
  };
}
