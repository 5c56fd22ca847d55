/** Runs `step` on one item after the other; a step may continue at once or later without growing the stack. */
export function eachInTurn<Item, Failure>(
  items: Iterable<Item>,
  step: (item: Item, next: (error: Failure | null) => void) => void,
  done: (error: Failure | null) => void,
): void {
  const rest = items[Symbol.iterator]();
  let isReady = false;
  let isLooping = false;
  const next = (error: Failure | null): void => {
    if (error !== null) {
      done(error);
      return;
    }
    isReady = true;
    if (isLooping) return;
    isLooping = true;
    while (isReady) {
      isReady = false;
      const item = rest.next();
      if (item.done) done(null);
      else step(item.value, next);
    }
    isLooping = false;
  };
  next(null);
}
