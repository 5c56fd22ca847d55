import type { SeriesLabel } from "@stashlight/contracts/metrics/query";

/** Labels of the group named in a link; none if the link names no group or an invalid one. */
export function labelsOfGroup(groupBy: readonly SeriesLabel[], group: string | null): Record<string, string> {
  const values = parseGroupValues(group);
  if (values.length !== groupBy.length) return {};
  return Object.fromEntries(groupBy.flatMap((label, i) => (values[i] ? [[label, values[i]]] : [])));
}

function parseGroupValues(group: string | null): string[] {
  try {
    const values: unknown = JSON.parse(group ?? "[]");
    return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : [];
  } catch {
    return [];
  }
}
