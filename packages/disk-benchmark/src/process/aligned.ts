/** Declares the part of WebAssembly used here, whose types otherwise come only with a browser's. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

const WASM_PAGE_BYTES = 65_536;

/** Allocates buffers that begin at a page, as direct I/O requires; only WebAssembly's memory guarantees this here. */
export function alignedBuffers(count: number, bytes: number): Uint8Array[] {
  const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
  return Array.from({ length: count }, () =>
    new Uint8Array(new WebAssembly.Memory({ initial: pages }).buffer).subarray(0, bytes),
  );
}
