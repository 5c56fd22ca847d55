import { formatFigure, formatShare, planFields, type StashPlanInput } from "@stashlight/planner";
import { shownAs } from "./draft.ts";

export interface InputRow {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly help: string;
}

const isOfMix = (path: string): boolean => path.startsWith("objects.");

/** A field's value as shown, with its unit; a dash without a value. */
function formatField(input: StashPlanInput, path: string): string {
  const field = planFields.find((each) => each.path === path);
  const value = path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key] ?? null, input);
  if (typeof value === "string") return value;
  if (typeof value !== "number" || field === undefined) return "–";
  return `${shownAs(field, value)} ${field.unit}`.trim();
}

function formatMix({ objects }: StashPlanInput): string {
  const whole = objects.reduce((sum, { share }) => sum + share, 0);
  return objects
    .map(({ bytes, share }) => `${formatFigure(bytes / 1000)} kB x ${formatShare(share / whole)}`)
    .join(", ");
}

/** Describes every input in words; the mix of sizes is one row. */
export const inputRows = (input: StashPlanInput): InputRow[] => [
  {
    path: "objects",
    label: "Objects",
    value: formatMix(input),
    help: "Sizes of small uploads and their shares.",
  },
  ...planFields
    .filter(({ path }) => !isOfMix(path))
    .map(({ path, label, help }) => ({ path, label, value: formatField(input, path), help })),
];
