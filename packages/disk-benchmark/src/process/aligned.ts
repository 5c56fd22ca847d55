/** Declares the one part of WebAssembly in use; its types come with a browser's, which this package does not need. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

const WASM_PAGE_BYTES = 65_536;

/** Buffers that begin at a page, as direct I/O requires; here only WebAssembly's memory does. */
export function alignedBuffers(count: number, bytes: number): Uint8Array[] {
  const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
  return Array.from({ length: count }, () =>
    new Uint8Array(new WebAssembly.Memory({ initial: pages }).buffer).subarray(0, bytes),
  );
}
