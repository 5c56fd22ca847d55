/** Instantiates the checked-in kernel as a function over a memory. */
import { plainKernelBase64, relaxedKernelBase64 } from "./bytes.ts";

/** A `WebAssembly.Memory`; views over `buffer` are checksummed in place. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

/** The part of WebAssembly's interface used here, which Node's types do not declare. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { host: { memory: WasmMemory } },
  ) => { readonly exports: { readonly fold: Fold } };
  validate(bytes: Uint8Array): boolean;
};

/** Bytes that the kernel processes per step. */
export const FOLD_BYTES = 128;

/**
 * Returns the register after the bytes at addresses [from, to) of the memory, given the register before them. Their
 * number must be a positive multiple of `FOLD_BYTES`.
 */
export type Fold = (from: number, to: number, register: number) => number;

export type KernelName = "relaxed-simd" | "simd";

const kernels = { "relaxed-simd": relaxedKernelBase64, simd: plainKernelBase64 };

/** Returns true if this JavaScript engine can run the kernel. */
export function isKernelSupported(name: KernelName): boolean {
  return "WebAssembly" in globalThis && WebAssembly.validate(decode(name));
}

export function loadFold(name: KernelName, memory: WasmMemory): Fold {
  return new WebAssembly.Instance(new WebAssembly.Module(decode(name)), { host: { memory } }).exports.fold;
}

export function createMemory(pages: number): WasmMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

export function isMemory(value: unknown): boolean {
  return value instanceof WebAssembly.Memory;
}

function decode(name: KernelName): Uint8Array {
  return Uint8Array.from(atob(kernels[name]), (character) => character.charCodeAt(0));
}
