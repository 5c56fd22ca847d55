import type { Labels } from "../recorder/series.ts";
import type { TextFormat } from "./negotiation.ts";

/** Both formats escape backslashes and line breaks, OpenMetrics quotation marks as well. */
export function escapeHelp(text: string, format: TextFormat): string {
  const escaped = text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return format === "openmetrics" ? escaped.replaceAll('"', '\\"') : escaped;
}

export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabelValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Replaces unpaired surrogates, which UTF-8 cannot encode. */
function escapeLabelValue(value: string): string {
  return value.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** JavaScript's shortest decimal of a finite number is valid in both formats. */
export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
