/** The folder that the demo load backs up, as one stream of bytes cut into blocks. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const ignoredNames: ReadonlySet<string> = new Set(["node_modules", "generated", "test-results"]);

export interface BackedUpFile {
  /** Relative to the root, with slashes. */
  path: string;
  sizeBytes: number;
  /** Offset of the file in the stream. */
  offsetBytes: number;
}

/** Paths of all files below these folders, in a stable order; leaves out hidden and generated files. */
export function listFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && !ignoredNames.has(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) return listFiles(root, [path]);
        return entry.isFile() ? [path] : [];
      }),
  );
}

/** Concatenates the files in blocks of one size; the last block may be shorter. */
export async function* readBlocks(
  root: string,
  paths: readonly string[],
  blockBytes: number,
  onFile: (file: BackedUpFile) => void,
): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafe(blockBytes);
  let filledBytes = 0;
  let offsetBytes = 0;
  for (const path of paths) {
    const bytes = await readFile(join(root, path));
    onFile({ path, sizeBytes: bytes.length, offsetBytes });
    offsetBytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const copiedBytes = bytes.copy(block, filledBytes, at);
      at += copiedBytes;
      filledBytes += copiedBytes;
      if (filledBytes < blockBytes) continue;
      yield block;
      block = Buffer.allocUnsafe(blockBytes);
      filledBytes = 0;
    }
  }
  if (filledBytes > 0) yield block.subarray(0, filledBytes);
}
