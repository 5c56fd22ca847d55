import type { Labels } from "../recorder/series.ts";
import type { TextFormat } from "./negotiation.ts";

/** A backslash and a line break are escaped in both formats, a quotation mark in OpenMetrics only. */
export function escapeHelp(text: string, format: TextFormat): string {
  const escaped = text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return format === "openmetrics" ? escaped.replaceAll('"', '\\"') : escaped;
}

export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabelValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Text that is not well-formed Unicode has no UTF-8; its lone halves become the replacement character. */
function escapeLabelValue(value: string): string {
  return value.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** JavaScript's shortest decimal of a finite number is a number in both formats. */
export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
