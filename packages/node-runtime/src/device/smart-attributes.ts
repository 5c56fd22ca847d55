/** Extracts figures from the attribute table of an ATA drive, whose meanings differ by vendor. */
import { z } from "zod";

export const attributeSchema = z.object({
  id: z.int(),
  name: z.string().optional(),
  /** Normalised by the drive; 100 or more for a new drive. */
  value: z.int().min(0).max(255).optional(),
  raw: z.object({ value: z.number().min(0) }),
});

export type Attribute = z.infer<typeof attributeSchema>;

const REPLACED = 5;
/** A sector that waits to be replaced and one that could not be read offline are usually the same sector. */
const PENDING = 197;
const UNREADABLE = 198;
/** Only the lower half of a raw value is the count; some vendors write other figures into the upper half. */
const RAW_MASK = 2 ** 32;

/** Returns null if the drive has none of the counts. */
export function countBadSectors(table: readonly Attribute[]): number | null {
  const count = (id: number): number | null => {
    const attribute = table.find((each) => each.id === id);
    return attribute === undefined ? null : attribute.raw.value % RAW_MASK;
  };
  const [replaced, pending, unreadable] = [count(REPLACED), count(PENDING), count(UNREADABLE)];
  if (replaced === null && pending === null && unreadable === null) return null;
  return (replaced ?? 0) + Math.max(pending ?? 0, unreadable ?? 0);
}

/**
 * Attributes whose normalised value is the percentage of rated endurance left, most direct first. The names are those
 * of smartmontools' drive database; the same numbers mean other things on other drives: 231 of an HDD is a temperature,
 * and 233 of some SSDs counts writes.
 */
const WEAR: readonly (readonly [id: number, names: readonly string[]])[] = [
  [202, ["Percent_Lifetime_Remain", "Percent_Lifetime_Used", "Perc_Rated_Life_Used"]],
  [231, ["SSD_Life_Left", "SSD_Life_Left_Perc", "Lifetime_Left", "Perc_Rated_Life_Remain"]],
  [231, ["Percent_Lifetime_Remain"]],
  [233, ["Media_Wearout_Indicator", "Remaining_Lifetime_Perc"]],
  [169, ["Remaining_Lifetime_Perc", "Lifetime_Remaining"]],
  [177, ["Wear_Leveling_Count", "Lifetime_Remaining", "DriveLife_Remaining"]],
  [173, ["Wear_Leveling_Count"]],
  [245, ["Percent_Life_Remaining", "SSD_Life_Left", "Drive_Life_Remaining"]],
  [248, ["Remaining_Life", "Perc_Rated_Life_Remain", "PCT_Life_Remaining", "Lifetime_Remaining"]],
];
const PERCENT_WHEN_NEW = 100;

export interface AttributeWear {
  readonly ratio: number;
  /** Number and name of the attribute: "177 Wear_Leveling_Count". */
  readonly source: string;
}

/** Returns null if no attribute is known to be the remaining endurance. */
export function findWear(table: readonly Attribute[]): AttributeWear | null {
  for (const [id, names] of WEAR) {
    const { name = "", value } = table.find((each) => each.id === id) ?? {};
    // Some drives begin at 200 or 253, so their value is not a percentage.
    if (value === undefined || value > PERCENT_WHEN_NEW || !names.includes(name)) continue;
    return { ratio: (PERCENT_WHEN_NEW - value) / PERCENT_WHEN_NEW, source: `${id} ${name}` };
  }
  return null;
}
