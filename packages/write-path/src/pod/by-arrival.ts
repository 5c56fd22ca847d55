/**
 * The open entries of a pod in the order of their arrival: a map for each group of consecutive arrivals, so that no page
 * of a comparison sorts all of them.
 */
interface Arrived {
  readonly arrival: number;
  readonly bucket: number;
}

export type ByArrival<Entry> = Map<number, Map<number, Entry>>;

const GROUP_LENGTH = 1024;

export function addArrival<Entry extends Arrived>(groups: ByArrival<Entry>, entry: Entry): void {
  const number = Math.floor(entry.arrival / GROUP_LENGTH);
  const group = groups.get(number);
  if (group === undefined) groups.set(number, new Map([[entry.arrival, entry]]));
  else group.set(entry.arrival, entry);
}

export function removeArrival<Entry extends Arrived>(groups: ByArrival<Entry>, { arrival }: Entry): void {
  const number = Math.floor(arrival / GROUP_LENGTH);
  const group = groups.get(number);
  group?.delete(arrival);
  if (group?.size === 0) groups.delete(number);
}

export function openEntryAt<Entry extends Arrived>(
  groups: ByArrival<Entry>,
  arrival: number,
): Entry | undefined {
  return groups.get(Math.floor(arrival / GROUP_LENGTH))?.get(arrival);
}

/** Arrivals above `after` and below `end`, if they are in one of the buckets, in order. */
export function* openArrivals<Entry extends Arrived>(
  groups: ByArrival<Entry>,
  after: number,
  end: number,
  buckets: ReadonlySet<number>,
): Generator<number> {
  const first = Math.floor((after + 1) / GROUP_LENGTH);
  const numbers = [...groups.keys()].filter((number) => number >= first && number * GROUP_LENGTH < end);
  for (const number of numbers.sort((a, b) => a - b)) {
    const arrivals: number[] = [];
    for (const { arrival, bucket } of groups.get(number)?.values() ?? [])
      if (arrival > after && arrival < end && buckets.has(bucket)) arrivals.push(arrival);
    yield* arrivals.sort((a, b) => a - b);
  }
}
