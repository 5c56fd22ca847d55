/**
 * Version order: a hybrid logical clock (time, counter, boot of a coordinator). Written as 24 hexadecimal digits, 12 of
 * milliseconds since 1970, 4 of counter and 8 of boot id, so that `<` on the text is the order. It names the boot and
 * not the coordinator, because a coordinator that restarts with its wall clock set back could otherwise give an order
 * twice.
 */
export type VersionOrder = string;

export const LOWEST_ORDER: VersionOrder = "0".repeat(24);

const COUNTER_MAX = 0xffff;

export interface HybridClock {
  readonly bootId: number;
  timeMs: number;
  counter: number;
  /** Milliseconds by which the wall clock is ahead of the clock for deadlines, which never jumps. */
  wallAheadMs: number;
}

export function createClock(bootId: number): HybridClock {
  return { bootId, timeMs: 0, counter: 0, wallAheadMs: 0 };
}

/**
 * Returns the next order of this coordinator: above every order it assigned or received, even if the wall clock jumps
 * back.
 */
export function nextOrder(clock: HybridClock, nowMs: number): VersionOrder {
  const wallMs = Math.floor(nowMs + clock.wallAheadMs);
  if (wallMs > clock.timeMs) {
    clock.timeMs = wallMs;
    clock.counter = 0;
  } else if (clock.counter < COUNTER_MAX) {
    clock.counter += 1;
  } else {
    clock.timeMs += 1;
    clock.counter = 0;
  }
  return formatOrder(clock.timeMs, clock.counter, clock.bootId);
}

/** Makes every later order of this clock greater than `order`. */
export function observeOrder(clock: HybridClock, order: VersionOrder): void {
  const { timeMs, counter } = parseOrder(order);
  if (timeMs > clock.timeMs || (timeMs === clock.timeMs && counter > clock.counter)) {
    clock.timeMs = timeMs;
    clock.counter = counter;
  }
}

export function formatOrder(timeMs: number, counter: number, bootId: number): VersionOrder {
  return hex(timeMs, 12) + hex(counter, 4) + hex(bootId, 8);
}

/** Returns the lowest of all these orders. */
export function lowestOf(first: VersionOrder, others: Iterable<VersionOrder>): VersionOrder {
  let lowest = first;
  for (const order of others) if (order < lowest) lowest = order;
  return lowest;
}

export function higherOf(one: VersionOrder, other: VersionOrder): VersionOrder {
  return lowestOf(one, [other]) === one ? other : one;
}

/** Returns an order below every order that any coordinator assigns from this moment of its clock onwards. */
export function lowestOrderAt(timeMs: number): VersionOrder {
  return formatOrder(Math.max(0, Math.floor(timeMs)), 0, 0);
}

export function parseOrder(order: VersionOrder): { timeMs: number; counter: number; bootId: number } {
  if (!/^[0-9a-f]{24}$/.test(order))
    throw new RangeError(`A version order is 24 hex digits, not "${order}".`);
  return {
    timeMs: Number.parseInt(order.slice(0, 12), 16),
    counter: Number.parseInt(order.slice(12, 16), 16),
    bootId: Number.parseInt(order.slice(16), 16),
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
