/** Sizes of small uploads in the form a plan uses: a few classes that preserve the total counts and bytes. */

export interface SizeShare {
  /** Mean of the class. */
  readonly bytes: number;
  readonly share: number;
  readonly count: number;
}

/** Largest number of classes that a form shows at a glance. */
const CLASSES_MAX = 8;

interface Group {
  readonly count: number;
  readonly bytes: number;
}

/** Starts with powers of two, and merges neighbours, the smallest first, until few enough remain. */
export function groupSizes(counts: ArrayLike<number>, bytes: ArrayLike<number>): SizeShare[] {
  let groups: Group[] = Array.from({ length: counts.length }, (_, at) => ({
    count: counts[at] ?? 0,
    bytes: bytes[at] ?? 0,
  })).filter(({ count }) => count > 0);
  const allCount = groups.reduce((sum, { count }) => sum + count, 0);
  const allBytes = groups.reduce((sum, each) => sum + each.bytes, 0);
  const groupWeight = ({ count, bytes: own }: Group): number =>
    count / allCount + own / Math.max(1, allBytes);
  while (groups.length > CLASSES_MAX) {
    const weights = groups.slice(1).map((group, at) => groupWeight(group) + groupWeight(groups[at] as Group));
    const least = weights.indexOf(Math.min(...weights));
    const [first, second] = [groups[least] as Group, groups[least + 1] as Group];
    const joined = { count: first.count + second.count, bytes: first.bytes + second.bytes };
    groups = [...groups.slice(0, least), joined, ...groups.slice(least + 2)];
  }
  return groups.map(({ count, bytes: own }) => ({
    // A plan has no empty uploads, but each still takes a record.
    bytes: Math.max(1, Math.round(own / count)),
    share: count / allCount,
    count,
  }));
}
