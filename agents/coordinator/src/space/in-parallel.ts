/** Works on at most `countMax` items at a time; after a failure, rejects once the others in progress have ended. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  countMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = iterator.next();
      if (next.done) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: countMax }, worker));
  if (failures.length > 0) throw failures[0];
}
