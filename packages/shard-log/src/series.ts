/** Runs `step` on one item after the other; a step may continue at once or later without growing the stack. */
export function eachInTurn<Item, Failure>(
  items: readonly Item[],
  step: (item: Item, next: (error: Failure | null) => void) => void,
  done: (error: Failure | null) => void,
): void {
  let index = 0;
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
      if (index === items.length) done(null);
      else step(items[index++] as Item, next);
    }
    isLooping = false;
  };
  next(null);
}
