/** Processes items in order with bounded concurrency. `work` returns false to start no more items. */
export async function workOff<T>(
  items: Iterable<T>,
  workerCount: number,
  work: (item: T, workerIndex: number) => Promise<boolean>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let isOver = false;
  const worker = async (workerIndex: number) => {
    while (!isOver) {
      const { done, value } = left.next();
      if (done) return;
      if (!(await work(value, workerIndex))) isOver = true;
    }
  };
  await Promise.all(Array.from({ length: workerCount }, (_, i) => worker(i)));
}

export function* numbersFrom(first: number, count: number): Generator<number> {
  for (let i = 0; i < count; i += 1) yield first + i;
}
