/**
 * Keeps batches that the ingest refuses for good, for examination: `<moment>.batch` beside `<moment>.txt` with the
 * reason. The oldest are deleted when there are too many.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Quarantine {
  /** Never rejects: a batch that cannot be stored is lost only for examination. */
  putAside(batch: Uint8Array, reason: string): Promise<void>;
}

const NAME = /^\d{15}-\d{3}\.(batch|txt)$/;

export async function openQuarantine(
  folder: string,
  countMax: number,
  nowMs: () => number,
): Promise<Quarantine> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let number = 0;
  return {
    putAside: async (batch, reason) => {
      const moment = String(nowMs()).padStart(15, "0");
      const name = `${moment}-${String(number++ % 1000).padStart(3, "0")}`;
      try {
        await writeFile(join(folder, `${name}.txt`), `${reason}\n`, { mode: 0o600 });
        await writeFile(join(folder, `${name}.batch`), batch, { mode: 0o600 });
        await dropOldest(folder, countMax);
      } catch {
        // The disk is full, or the folder is missing.
      }
    },
  };
}

async function dropOldest(folder: string, countMax: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const oldest = names.slice(0, Math.max(0, names.length - 2 * countMax));
  await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })));
}
