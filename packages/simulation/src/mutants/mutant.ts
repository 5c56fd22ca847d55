/**
 * A protocol mutant: one plausible mistake in the write path, as data. Production code has no switch for it; the text
 * of one module is changed while a worker loads it (install-mutant.ts).
 */
export interface Mutant {
  readonly name: string;
  /** Folder of packages/write-path/src, "" for its top, the sources of another package, or shard-store's shell. */
  readonly folder:
    | ""
    | "coordinator"
    | "pod"
    | "pod/settled"
    | "stash"
    | "paged-memory"
    | "shard-log"
    | "shard-store"
    | "shell";
  /** Uses the real log, because the quick model lacks the part that the mistake breaks. */
  readonly medium?: "log";
  /** Source text that occurs exactly once in that folder. */
  readonly find: string;
  readonly replace: string;
  /** The promise that the mistake breaks. */
  readonly breaks: string;
}

/** Returns mutants of one folder; a mutant of another folder names that folder itself. */
export const mutantsIn = (
  folder: Mutant["folder"],
  described: readonly (Omit<Mutant, "folder"> & Partial<Mutant>)[],
): readonly Mutant[] => described.map((mutant) => ({ folder, ...mutant }));

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface MutatedSource extends SourceFile {
  readonly mutant: Mutant;
}

/**
 * Returns the changed text of the one file that the mutant changes. Throws unless its text occurs there exactly once.
 */
export function mutate(mutant: Mutant, sources: readonly SourceFile[]): MutatedSource {
  const counts = sources.map(({ text }) => text.split(mutant.find).length - 1);
  const count = counts.reduce((sum, n) => sum + n, 0);
  const place = mutant.folder === "" ? "the write path's top folder" : `${mutant.folder}/`;
  if (count !== 1) {
    throw new RangeError(
      `The text of mutant "${mutant.name}" occurs ${count} times in ${place}, and must occur once: ${mutant.find}`,
    );
  }
  const source = sources[counts.indexOf(1)] as SourceFile;
  const text = source.text.replace(mutant.find, () => mutant.replace);
  return { mutant, path: source.path, text };
}
