/** Folder of append-only files. An interface, so that a test can fill the disk. */
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface SpoolFiles {
  /** Names of the files, in any order. */
  list(): Promise<string[]>;
  read(name: string): Promise<Uint8Array>;
  /** Creates the file if it is missing. On failure, some of the bytes may have been written. */
  append(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Replaces the file's content; on failure the old content remains. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
}

/** The folder must not be on a device that is being measured. */
export async function openSpoolFolder(folder: string): Promise<SpoolFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    list: () => readdir(folder),
    read: (name) => readFile(join(folder, name)),
    append: (name, bytes) => appendFile(join(folder, name), bytes, { mode: 0o600 }),
    remove: (name) => rm(join(folder, name), { force: true }),
    replace: async (name, bytes) => {
      const next = join(folder, `${name}.next`);
      await writeFile(next, bytes, { mode: 0o600 });
      await rename(next, join(folder, name));
    },
  };
}
