import type { ChartTone } from "./model.ts";
import type { ChartPalette } from "./option.ts";

const tones: readonly ChartTone[] = [
  "stash",
  "pod",
  "direct",
  "coordinator",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
  "accent-ink",
  "good",
  "warning",
  "bad",
  "unknown",
];

/** Tokens of the current theme. */
export function readPalette(): ChartPalette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    tones: Object.fromEntries(tones.map((tone) => [tone, token(tone)])) as Record<ChartTone, string>,
    surface: token("surface"),
    line: token("line"),
    faint: token("faint"),
    ink: token("ink"),
    font: getComputedStyle(document.body).fontFamily,
  };
}
