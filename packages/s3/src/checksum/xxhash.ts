/** The xxHash family (64-bit, XXH3 and XXH128) in WebAssembly. */

type XxHashName = "createXXHash3" | "createXXHash64" | "createXXHash128";

interface XxHash {
  update(bytes: Uint8Array): void;
  /** Most significant byte first, as in S3. */
  digest(): Buffer;
}

/** The library has all its hashes in one file, and few clients use these, so it is loaded on first use. */
export async function createXxHash(name: XxHashName): Promise<XxHash> {
  const library = await import("hash-wasm");
  const hash = (await library[name]()).init();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => Buffer.from(hash.digest("binary")),
  };
}
