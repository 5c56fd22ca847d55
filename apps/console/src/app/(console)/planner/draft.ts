/**
 * Form texts while the user types, by field as shown, so that a half-typed number is kept and a wrong one can be
 * reported. Each key press parses them into a plan's input again.
 */
import { type PlanField, planFields, type StashPlanInput } from "@stashlight/planner";

export interface ObjectDraft {
  /** Stable while rows are added and removed. */
  readonly key: number;
  readonly bytes: string;
  readonly share: string;
}

export interface Draft {
  /** Keyed by path; every field except those of the mix. */
  readonly texts: Readonly<Record<string, string>>;
  readonly objects: readonly ObjectDraft[];
  readonly hasInstalled: boolean;
}

/** One text per field; the mix of sizes is a separate table. */
export const plainFields: readonly PlanField[] = planFields.filter(
  ({ path }) => !path.startsWith("objects."),
);
export const findField = (path: string): PlanField | undefined =>
  planFields.find((field) => field.path === path.replace(/\.\d+\./, "."));

const readPath = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

/** Formats a stored number for its field, without binary rounding noise. */
export const shownAs = ({ factor }: Pick<PlanField, "factor">, stored: number): string =>
  String(Number((stored / factor).toPrecision(12)));

/** NaN for text that is not a number. */
export const storedAs = ({ factor }: Pick<PlanField, "factor">, text: string): number => {
  const plain = text.replace(/[\s,_]/g, "");
  return plain === "" ? Number.NaN : Number((Number(plain) * factor).toPrecision(15));
};

const factorOfBytes = (): Pick<PlanField, "factor"> => findField("objects.bytes") ?? { factor: 1 };

export function toDraft(input: StashPlanInput): Draft {
  const texts = plainFields.map((field) => {
    const stored = readPath(input, field.path);
    if (typeof stored === "string") return [field.path, stored];
    if (typeof stored === "number") return [field.path, shownAs(field, stored)];
    // Offers the default pool, because none is installed yet.
    return [field.path, typeof field.default === "number" ? shownAs(field, field.default) : ""];
  });
  return {
    texts: Object.fromEntries(texts),
    objects: input.objects.map(({ bytes, share }, key) => ({
      key,
      bytes: shownAs(factorOfBytes(), bytes),
      share: shownAs({ factor: 1 }, share),
    })),
    hasInstalled: input.installed !== null,
  };
}

/** Unchecked input for `checkStashPlanInput`. */
export function toCandidate({ texts, objects, hasInstalled }: Draft): Record<string, unknown> {
  const candidate: Record<string, Record<string, unknown> | unknown> = {};
  for (const field of plainFields) {
    const text = texts[field.path] ?? "";
    const [head = "", leaf] = field.path.split(".");
    if (head === "installed" && !hasInstalled) continue;
    const isEmptyByRight = field.mayBeEmpty && text.trim() === "";
    const value = field.bounds === null ? text : isEmptyByRight ? null : storedAs(field, text);
    if (leaf === undefined) candidate[head] = value;
    else candidate[head] = { ...(candidate[head] as object | undefined), [leaf]: value };
  }
  return {
    ...candidate,
    installed: candidate.installed ?? null,
    objects: objects.map(({ bytes, share }) => ({
      bytes: storedAs(factorOfBytes(), bytes),
      share: storedAs({ factor: 1 }, share),
    })),
  };
}

export const withTexts = (draft: Draft, texts: Readonly<Record<string, string>>): Draft => ({
  ...draft,
  texts: { ...draft.texts, ...texts },
});

export const newObjectKey = ({ objects }: Draft): number =>
  objects.reduce((most, { key }) => Math.max(most, key), -1) + 1;
