/** Instantiates the checked-in kernel as functions over a memory. */
import { plainKernelBase64, relaxedKernelBase64 } from "./bytes.ts";

/** A `WebAssembly.Memory` of fixed size. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The part of WebAssembly's interface used here, which Node's types do not declare. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { host: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, RowsFunction>> };
  validate(bytes: Uint8Array): boolean;
};

/** Documented in source.ts. */
export type RowsFunction = (
  tables: number,
  columns: number,
  outputs: number,
  from: number,
  to: number,
  isCheck: 0 | 1,
) => 0 | 1;

export type KernelName = "relaxed-simd" | "simd";

const kernels = { "relaxed-simd": relaxedKernelBase64, simd: plainKernelBase64 };

const PAGE_BYTES = 65_536;

/** Returns true if this JavaScript engine can run the kernel. */
export function isKernelSupported(name: KernelName): boolean {
  return "WebAssembly" in globalThis && WebAssembly.validate(decode(name));
}

/** Returns the kernel's functions by name: rows1, rows2 and so on. */
export function loadKernel(name: KernelName, memory: WasmMemory): Readonly<Record<string, RowsFunction>> {
  return new WebAssembly.Instance(new WebAssembly.Module(decode(name)), { host: { memory } }).exports;
}

export function createMemory(byteCount: number): WasmMemory {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

function decode(name: KernelName): Uint8Array {
  return Uint8Array.from(atob(kernels[name]), (character) => character.charCodeAt(0));
}
