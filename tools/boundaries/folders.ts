/**
 * Enforces one-way imports inside a package: of the files and folders beside each other in a folder, none reaches
 * itself through the others. A folder's content counts as the folder.
 */
import { findCycles } from "./cycles.ts";

/** Imports between files with their lines. */
export type FileImports = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface FolderCircle {
  /** Folder of the circle, and the names in it that form the circle. */
  readonly folder: string;
  readonly names: readonly string[];
  /** For each name, one import that leads to the next name: the file, its line and the file that it imports. */
  readonly imports: readonly { readonly file: string; readonly line: number; readonly target: string }[];
}

export function findFolderCircles(imports: FileImports): FolderCircle[] {
  const levels = new Map<string, Map<string, Map<string, FolderCircle["imports"][number]>>>();
  for (const [file, targets] of imports) {
    for (const [target, line] of targets) {
      const { folder, from, to } = meeting(file, target);
      const level = levels.get(folder) ?? new Map();
      const arrows = level.get(from) ?? new Map();
      if (!arrows.has(to)) arrows.set(to, { file, line, target });
      levels.set(folder, level.set(from, arrows));
    }
  }
  return [...levels].flatMap(([folder, level]) => {
    const edges = new Map(
      [...level].map(([from, arrows]) => [from, new Map([...arrows].map(([to, { line }]) => [to, line]))]),
    );
    return findCycles(edges)
      .filter((names) => names.some(isFolder))
      .map((names) => ({
        folder,
        names,
        imports: names.flatMap((name, i) => level.get(name)?.get(names[(i + 1) % names.length] ?? "") ?? []),
      }));
  });
}

/** Circles that contain only files are reported as cycles between files instead (check.ts). */
const isFolder = (name: string): boolean => !/\.[cm]?[jt]sx?$/.test(name);

/** The innermost folder that contains both files, and its entry for each of them. */
function meeting(file: string, target: string): { folder: string; from: string; to: string } {
  const [a, b] = [file.split("/"), target.split("/")];
  const depth = a.findIndex((name, i) => name !== b[i]);
  return { folder: a.slice(0, depth).join("/"), from: a[depth] ?? "", to: b[depth] ?? "" };
}
