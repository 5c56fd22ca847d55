import type { SeriesLabel } from "@stashlight/contracts/metrics/query";

/** The labels of the group that a link is about; none when there is no link, or it cannot be read. */
export function labelsOfGroup(groupBy: readonly SeriesLabel[], group: string | null): Record<string, string> {
  const values = valuesOf(group);
  if (values.length !== groupBy.length) return {};
  return Object.fromEntries(groupBy.flatMap((label, i) => (values[i] ? [[label, values[i]]] : [])));
}

function valuesOf(group: string | null): string[] {
  try {
    const values: unknown = JSON.parse(group ?? "[]");
    return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : [];
  } catch {
    return [];
  }
}
