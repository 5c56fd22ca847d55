/**
 * Delta debugging: removes halves, quarters and so on down to single items, while the remaining items still satisfy
 * `isEnough`. No single item of the result can be removed, unless `isEnough` returned false to save time.
 */
export function minimise<T>(items: readonly T[], isEnough: (left: readonly T[]) => boolean): readonly T[] {
  let left = items;
  if (left.length > 0 && isEnough([])) return [];
  for (let size = Math.ceil(left.length / 2); size >= 1; size = nextSize(size)) {
    for (let start = 0; start < left.length; ) {
      const rest = [...left.slice(0, start), ...left.slice(start + size)];
      if (rest.length < left.length && isEnough(rest)) left = rest;
      else start += size;
    }
  }
  return left;
}

function nextSize(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2);
}
