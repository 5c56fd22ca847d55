import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Theme = Map<string, string>;

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function readTheme(name: "dark" | "light"): Theme {
  const block = new RegExp(`\\[data-theme="${name}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, token, value]) => [token ?? "", value ?? ""]),
  );
}

const themes = { dark: readTheme("dark"), light: readTheme("light") };
const grounds = ["canvas", "surface", "raised", "hover", "sunken"];
const texts = ["ink", "muted", "faint", "accent-ink", "good", "warning", "bad", "unknown"];
const series = [
  ...["stash", "pod", "direct", "coordinator"],
  ...["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"],
];
const pairs: [text: string, ground: string][] = [
  ...[...texts, ...series].flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ...["good", "warning", "bad", "unknown"].map((text): [string, string] => [text, `${text}-soft`]),
  ...["good", "warning", "bad", "unknown", "accent"].flatMap((soft): [string, string][] => [
    ["ink", `${soft}-soft`],
    ["muted", `${soft}-soft`],
  ]),
  ["accent-ink", "accent-soft"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-accent", "bad-fill"],
  ["on-accent", "bad-fill-hover"],
];

function tokenContrast(theme: Theme, one: string, other: string): number {
  return contrastRatio(theme.get(one) ?? `missing --${one}`, theme.get(other) ?? `missing --${other}`);
}

describe.each(Object.entries(themes))("the %s theme", (_name, theme) => {
  test.each(pairs)("--%s is readable on --%s (4.5:1)", (text, ground) => {
    expect(tokenContrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["canvas", "surface", "raised"])("the edge of a control is visible on --%s (3:1)", (ground) => {
    expect(tokenContrast(theme, "control", ground)).toBeGreaterThanOrEqual(3);
  });
});

test("both themes define the same tokens", () => {
  expect([...themes.light.keys()]).toEqual([...themes.dark.keys()]);
  expect(themes.dark.size).toBeGreaterThan(30);
});

/** Theme rules without colours. */
const formsOf = (theme: Theme) =>
  [...theme.values()].map((value) => value.replaceAll(/#[0-9a-f]{6}|rgb\([\d ./]+\)/g, "colour"));

test("themes differ only in colours, so checks that ignore colours need only one theme", () => {
  expect(formsOf(themes.light)).toEqual(formsOf(themes.dark));
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".css"));
  const sheets = names.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
  expect(sheets.match(/data-theme|prefers-color-scheme|light-dark\(/g)).toEqual(["data-theme", "data-theme"]);
});

test("the contrast of black on white is 21, and that of a colour with itself is 1", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastRatio("#4150d0", "#4150d0")).toBe(1);
});

/** Returns the contrast ratio of two `#rrggbb` colours (1 to 21), as WCAG 2.2 defines it. */
function contrastRatio(first: string, second: string): number {
  const [darker, lighter] = [relativeLuminance(first), relativeLuminance(second)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

function relativeLuminance(hex: string): number {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (!match) throw new Error(`"${hex}" is not a colour: write it as #rrggbb.`);
  const [red, green, blue] = match.slice(1).map((pair) => linearChannel(Number.parseInt(pair, 16) / 255)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearChannel(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
