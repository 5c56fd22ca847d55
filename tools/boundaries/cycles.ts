/**
 * Finds import cycles: for every group of files that reach each other, one shortest cycle through its first file.
 * `edges` maps a file to the files it imports (the value, a line number, is the caller's).
 */
export function findCycles(edges: ReadonlyMap<string, ReadonlyMap<string, number>>): string[][] {
  const importTargets = (file: string): string[] => [...(edges.get(file)?.keys() ?? [])];
  const cycles: string[][] = [];
  const covered = new Set<string>();
  for (const start of [...edges.keys()].sort()) {
    if (covered.has(start)) continue;
    const cycle = shortestCycle(start, importTargets);
    if (!cycle) continue;
    for (const file of cycle) covered.add(file);
    cycles.push(cycle);
  }
  return cycles;
}

/** Searches breadth first from `start` back to `start`; the result lists each file once, `start` first. */
function shortestCycle(start: string, targetsOf: (file: string) => string[]): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of targetsOf(file)) {
      if (target === start) return pathTo(file, start, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return null;
}

function pathTo(file: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [file];
  for (let at = file; at !== start; ) {
    at = cameFrom.get(at) as string;
    path.unshift(at);
  }
  return path;
}
