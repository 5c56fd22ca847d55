/** Checksums that Node lacks, in WebAssembly: CRC-64/NVME, and the xxHash family (64-bit, XXH3 and XXH128). */

/** 0xad93d23594c93659, reflected. */
const NVME_POLYNOMIAL = "9a6c9329ac4bc9b5";

type WasmHashName = "createCRC64" | "createXXHash3" | "createXXHash64" | "createXXHash128";

interface WasmHash {
  update(bytes: Uint8Array): void;
  /** The highest byte first, as in S3. */
  digest(): Buffer;
}

/** The library has all its hashes in one file, and few clients use these, so it is loaded on first use. */
export async function createWasmHash(name: WasmHashName): Promise<WasmHash> {
  const library = await import("hash-wasm");
  const opened = name === "createCRC64" ? library.createCRC64(NVME_POLYNOMIAL) : library[name]();
  const hash = (await opened).init();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => Buffer.from(hash.digest("binary")),
  };
}
