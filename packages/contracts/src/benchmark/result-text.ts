/** Formats figures of a run that are not samples, with their unit once; a count or a ratio has none. */
const unitless = "1";

export function formatResult({ value, unit }: { readonly value: number; readonly unit: string }): string {
  const figure = String(Number(value.toPrecision(4)));
  return unit === unitless ? figure : `${figure} ${unit}`;
}
