/** The fields of the dialog about one lifecycle rule. */
import type { BucketTag, LifecycleRule } from "@stashlight/contracts/bucket";
import {
  choice,
  fieldTable,
  flag,
  number,
  optionalNumber,
  type Problems,
  parsed,
  type Reading,
  type Typed,
  text,
} from "@stashlight/ui/fields";

const DAYS_MAX = 2 ** 31 - 1;
const wholeDays = (typed: string): boolean => /^\s*\d+\s*$/.test(typed);
const daysProblem = "Enter a whole number of days, at least 1.";
const sizeProblem = "Enter a whole number of bytes, such as 1048576.";

/** One KEY=VALUE per line; a tag without a value is only its key. */
function readTags(typed: string): Reading<BucketTag[]> {
  const lines = typed.split("\n").filter((line) => line.trim() !== "");
  const tags = lines.map((line) => {
    const [key = "", ...value] = line.trim().split("=");
    return { key, value: value.join("=") };
  });
  if (tags.some(({ key }) => key === ""))
    return { value: tags, problem: "Enter one tag per line, as KEY=VALUE." };
  const isTwice = new Set(tags.map(({ key }) => key)).size < tags.length;
  return isTwice ? { value: tags, problem: "Name each key once." } : { value: tags };
}

function readDay(typed: string): Reading<number> {
  const dateMs = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? Date.parse(`${typed}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(dateMs) ? { value: dateMs, problem: "Choose a day." } : { value: dateMs };
}

const whole = <Value>(
  spec: { read: (typed: string) => Reading<Value> },
  problem: string,
): { read: (typed: string) => Reading<Value> } => ({
  read: (typed) => {
    const reading = spec.read(typed);
    const isWhole = typed.trim() === "" || wholeDays(typed);
    return isWhole || reading.problem !== undefined ? reading : { ...reading, problem };
  },
});

const days = number("Days", {
  min: 1,
  max: DAYS_MAX,
  problem: daysProblem,
  help: "Counted from an object's last change, rounded up to the next midnight UTC.",
  path: "rules.*.expiration.days",
});
const abort = optionalNumber("Abort uploads after", {
  unit: "days",
  min: 1,
  max: DAYS_MAX,
  problem: daysProblem,
  help: "Multipart uploads that were started but not completed.",
  path: "rules.*.abortAfterDays",
});
const sizeSettings = { min: 0, max: Number.MAX_SAFE_INTEGER, problem: sizeProblem } as const;
const above = optionalNumber("Larger than", { unit: "bytes", ...sizeSettings });
const below = optionalNumber("Smaller than", { unit: "bytes", ...sizeSettings });

const expirations = [
  { value: "days", label: "after a number of days" },
  { value: "date", label: "from a date on" },
  { value: "none", label: "never" },
] as const;

export const ruleFields = fieldTable(
  {
    id: text("Name", { help: "Names the rule in the audit log and to clients.", path: "rules.*.id" }),
    isEnabled: flag("Enabled", { initial: true }),
    prefix: parsed("text", "Keys that begin with", (typed) => ({ value: typed }), {
      help: "Leave empty for every key.",
      optional: true,
      mono: true,
      path: "rules.*.filter.prefix",
    }),
    tags: parsed("area", "With these tags", readTags, {
      help: "One per line, as KEY=VALUE. An object needs all of them.",
      optional: true,
      mono: true,
      rows: 2,
      path: "rules.*.filter.tags",
    }),
    above: { ...above, ...whole(above, sizeProblem) },
    below: { ...below, ...whole(below, sizeProblem) },
    expires: choice("Delete objects", expirations, { initial: "days" }),
    days: { ...days, ...whole(days, daysProblem) },
    date: parsed("text", "Day, in UTC", readDay, { type: "date", path: "rules.*.expiration.dateMs" }),
    abort: { ...abort, ...whole(abort, daysProblem) },
  },
  { days: ({ expires }) => expires === "days", date: ({ expires }) => expires === "date" },
);
export type RuleForm = Typed<typeof ruleFields.specs>;

/** False for a rule that the form would change by opening and saving it. */
export function isEditable({ filter, expiration, id }: LifecycleRule): boolean {
  const fits = ({ key, value }: BucketTag) =>
    !key.includes("=") && key === key.trim() && value === value.trim() && !/\n/.test(key + value);
  return expiration?.kind !== "delete markers" && id === id.trim() && filter.tags.every(fits);
}

const numberText = (value: number | null): string => (value === null ? "" : String(value));

export function toRuleForm({ id, isEnabled, filter, expiration, abortAfterDays }: LifecycleRule): RuleForm {
  const { prefix, tags, sizeBytesAbove, sizeBytesBelow } = filter;
  const isDate = expiration?.kind === "date";
  return {
    id,
    isEnabled,
    prefix: prefix ?? "",
    tags: tags.map(({ key, value }) => (value === "" ? key : `${key}=${value}`)).join("\n"),
    above: numberText(sizeBytesAbove),
    below: numberText(sizeBytesBelow),
    expires: expiration === null ? "none" : isDate ? "date" : "days",
    days: expiration?.kind === "days" ? String(expiration.days) : "",
    date: isDate ? new Date(expiration.dateMs).toISOString().slice(0, 10) : "",
    abort: numberText(abortAfterDays),
  };
}

/** Keeps the rule's filter syntax where possible, because tools compare the rules they read with those they wrote. */
export function toRule(typed: RuleForm, before: LifecycleRule | null): LifecycleRule {
  const { values } = ruleFields.read(typed);
  const { id, isEnabled, prefix, tags, above: sizeBytesAbove, below: sizeBytesBelow, expires } = values;
  const conditionCount =
    tags.length + [prefix !== "", sizeBytesAbove !== null, sizeBytesBelow !== null].filter(Boolean).length;
  const isOnlyPrefix = conditionCount === (prefix === "" ? 0 : 1);
  const keeps =
    before !== null &&
    (before.form === "prefix" ? isOnlyPrefix : before.form === "and" && conditionCount > 0);
  const form = keeps ? before.form : conditionCount > 1 ? "and" : "filter";
  return {
    id,
    isEnabled,
    form,
    abortAfterDays: values.abort,
    filter: {
      prefix: prefix === "" ? (before?.filter.prefix === "" || form === "prefix" ? "" : null) : prefix,
      tags,
      sizeBytesAbove,
      sizeBytesBelow,
    },
    expiration:
      expires === "none"
        ? null
        : expires === "days"
          ? { kind: "days", days: values.days }
          : { kind: "date", dateMs: values.date },
  };
}

/** Returns the problems of single fields, and those of combinations. */
export function checkRuleForm(typed: RuleForm, otherIds: readonly string[]): Problems {
  const { values, problems } = ruleFields.read(typed);
  const found: Partial<Record<keyof RuleForm, string>> = { ...problems };
  if (values.id === "") found.id = "Enter a name.";
  if (otherIds.includes(values.id)) found.id = "Another rule of the bucket has this name.";
  if (values.expires === "none" && values.abort === null) {
    found.expires = "Choose what the rule does: delete objects, abort uploads, or both.";
  }
  if (values.abort !== null && (values.tags.length > 0 || values.above !== null || values.below !== null)) {
    found.abort = "An upload has neither tags nor a size yet, so a rule that names them cannot abort it.";
  }
  const { above: low, below: high } = values;
  if (low !== null && high !== null && high <= low) found.below = "The upper size must be the larger one.";
  return found;
}
