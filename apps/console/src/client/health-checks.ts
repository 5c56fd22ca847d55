import type { HealthCheck, HealthState } from "@stashlight/contracts/health";
import { formatAge, formatBytes, formatCount, formatSpan } from "@stashlight/ui";

/** States from worst to best. */
const severity: HealthState[] = ["bad", "warning", "unknown", "good"];

export function worstFirst(checks: readonly HealthCheck[]): HealthCheck[] {
  return checks.toSorted((a, b) => severity.indexOf(a.state) - severity.indexOf(b.state));
}

const list = new Intl.ListFormat("en-GB");

/** Summary for an installation without problems: names healthy checks, and those not known yet. */
export function formatHealthSummary(checks: readonly Pick<HealthCheck, "title" | "state">[]): string {
  const named = (isIncluded: (state: HealthState) => boolean) =>
    checks.filter(({ state }) => isIncluded(state)).map(({ title }) => title);
  const unknown = named((state) => state === "unknown");
  const well = named((state) => state === "good");
  const sentences = [
    well.length > 0 && `Healthy: ${list.format(well)}.`,
    unknown.length > 0 && `Not reported yet: ${list.format(unknown)}.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

type Figure = HealthCheck["figures"][number];

/** Splits a figure into a value and a readable unit. */
export function formatFigure({ value, unit }: Pick<Figure, "value" | "unit">): {
  value: string;
  unit: string;
} {
  if (typeof value === "string") return { value, unit: "" };
  if (unit === "bytes") {
    const [amount = "", name = ""] = formatBytes(value, "SI").split(/\s/);
    return { value: amount, unit: name };
  }
  if (unit === "milliseconds") return { value: value < 10 ? value.toFixed(1) : value.toFixed(0), unit: "ms" };
  if (unit === "seconds" || unit === "seconds-ago") {
    const span = unit === "seconds" ? formatSpan(1000 * value) : formatAge(1000 * value);
    const [, amount = span, name = ""] = /^(\d+) (.*)$/.exec(span) ?? [];
    return { value: amount, unit: name };
  }
  return { value: formatCount(value), unit: "" };
}
