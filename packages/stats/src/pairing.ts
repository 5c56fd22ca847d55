import { StatsError } from "./error.ts";

/** One value per slot, oldest first, each slot once. */
export interface SlotValues {
  readonly slotsMs: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export interface Pairs {
  readonly slotsMs: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Slots without a partner. */
  readonly onlyA: number;
  readonly onlyB: number;
}

/** Returns values of two endpoints in the slots that both have. Throws a `StatsError` if slots do not ascend. */
export function pairBySlot(a: SlotValues, b: SlotValues): Pairs {
  requireAscending(a, "a");
  requireAscending(b, "b");
  const slots: number[] = [];
  const left: number[] = [];
  const right: number[] = [];
  let j = 0;
  for (let i = 0; i < a.slotsMs.length; i += 1) {
    const slot = a.slotsMs[i] as number;
    while (j < b.slotsMs.length && (b.slotsMs[j] as number) < slot) j += 1;
    if (j === b.slotsMs.length) break;
    if (b.slotsMs[j] !== slot) continue;
    slots.push(slot);
    left.push(a.values[i] as number);
    right.push(b.values[j] as number);
  }
  return {
    slotsMs: Float64Array.from(slots),
    a: Float64Array.from(left),
    b: Float64Array.from(right),
    onlyA: a.slotsMs.length - slots.length,
    onlyB: b.slotsMs.length - slots.length,
  };
}

function requireAscending({ slotsMs, values }: SlotValues, name: string): void {
  if (slotsMs.length !== values.length) {
    throw new StatsError(
      "bad-argument",
      `Side ${name} has ${slotsMs.length} slots and ${values.length} values; it must have as many values as slots.`,
    );
  }
  for (let i = 0; i < slotsMs.length; i += 1) {
    const slot = slotsMs[i] as number;
    if (!Number.isFinite(slot) || (i > 0 && slot <= (slotsMs[i - 1] as number))) {
      throw new StatsError("bad-argument", `Slot ${i} of side ${name} is ${slot}; slots ascend, each once.`);
    }
  }
}
