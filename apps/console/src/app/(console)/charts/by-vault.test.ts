import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { gaugeAnswer } from "../../../client/metrics/testing.ts";
import { figuresByVault } from "./by-vault.ts";
import type { VaultFigure } from "./figure.ts";

const metric = "stashlight_stash_used_bytes";

/** Makes a figure of the last value, which is bad from half of the maximum upwards. */
function fill(answers: readonly MetricAnswer[]): VaultFigure[] {
  const columns = answers[0]?.series[0]?.columns;
  const value = columns?.kind === "gauge" ? (columns.last.at(-1) ?? null) : null;
  return [
    {
      id: "fill",
      title: "Occupied",
      value,
      quantity: "ratio",
      ...(value === null ? {} : { rank: value }),
      ...(value !== null && value >= 0.5 ? { status: "bad", problem: "It is full." } : { status: "good" }),
      href: "/stash",
      metrics: [metric],
    },
  ];
}

const of = (shares: Record<string, number>) =>
  figuresByVault(
    [
      gaugeAnswer(
        metric,
        Object.entries(shares).map(([vault, share]) => [{ vault }, share]),
      ),
    ],
    fill,
  )[0];

test("several vaults show the worst by name and the range of the others, never their average", () => {
  expect(of({ "p0-east": 0.134, north: 0.02, south: 0.05 })).toMatchObject({
    value: 0.134,
    vaultWords: "p0-east; others 2 to 5 %",
  });
});

test("a value of two vaults names both", () => {
  expect(of({ east: 0.134, west: 0.02 })).toMatchObject({ value: 0.134, vaultWords: "east; west 2 %" });
});

test("other vaults with the same value are called alike", () => {
  expect(of({ east: 0.1, west: 0.1, north: 0.1 })?.vaultWords).toBe("east; others alike");
});

test("a single vault has no name beside its value, and no vaults have no value", () => {
  expect(of({ east: 0.134 })).toMatchObject({ value: 0.134 });
  expect(of({ east: 0.134 })).not.toHaveProperty("vaultWords");
  expect(of({})).toMatchObject({ value: null });
});

test("a figure without a rank gives its own reason instead of stating that nothing was reported", () => {
  const answers = [
    gaugeAnswer(metric, [
      [{ vault: "north" }, 1],
      [{ vault: "south" }, 1],
    ]),
  ];
  const young = (given: readonly MetricAnswer[]): VaultFigure[] => [
    {
      id: "full",
      title: "Time to full",
      value: null,
      quantity: "seconds",
      href: "/stash",
      metrics: [metric],
      missing: "No forecast.",
      statistic:
        (given[0]?.series.length ?? 0) === 0 ? "Nothing was reported yet." : "12 minutes of history.",
    },
  ];
  expect(figuresByVault(answers, young)).toMatchObject([
    { statistic: "12 minutes of history.", vaultWords: "north; south alike" },
  ]);
});

test("a problem names the worst vault and the others that have it", () => {
  expect(of({ a: 0.6, b: 0.9, c: 0.2 })?.problem).toBe("b: It is full. Also a.");
  expect(of({ a: 0.6, b: 0.9, c: 0.7, d: 0.8, e: 0.5 })?.problem).toBe(
    "b: It is full. Also d, c, a and 1 more.",
  );
});
