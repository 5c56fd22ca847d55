/** Engines that multiply shards by matrices. There are three implementations, which agree bit for bit. */

import type { Matrix } from "../matrix.ts";
import type { WasmMemory } from "./instance.ts";

/** Names of the engines, best first. */
export const ENGINES = ["relaxed-simd", "simd", "js"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Shards start at multiples of this in the heap, and computed lengths are rounded up to it. */
export const SHARD_ALIGNMENT = 64;

export interface Engine {
  readonly name: EngineName;
  /** All memory for shards, indexed by address. It never moves or grows. */
  readonly heap: Uint8Array;
  /** Addresses below this belong to the engine. A multiple of 4096. */
  readonly heapStart: number;
  /** The WebAssembly memory under `heap`, if any. */
  readonly memory: WasmMemory | null;
  /** Writes matrix times inputs to the outputs: `byteCount` bytes, a multiple of 64, at each address. */
  multiply(matrix: Matrix, inputs: readonly number[], outputs: readonly number[], byteCount: number): void;
  /** Returns true if the outputs hold matrix times inputs. */
  matches(matrix: Matrix, inputs: readonly number[], outputs: readonly number[], byteCount: number): boolean;
}
