/**
 * Combines one figure of several vaults: names the worst vault, and gives the range of the others. An average or sum
 * would hide a full vault.
 */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { Status } from "@stashlight/ui";
import { chooseUnit, formatIn, formatWith } from "@stashlight/ui/chart";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import type { VaultFigure } from "./figure.ts";

/** Queries a tile's figures per vault. */
export const newestByVault = ({ groupBy = [], ...selection }: MetricSelection): MetricSelection => ({
  ...selection,
  groupBy: [...groupBy, "vault"],
  summarise: true,
});

/** Adds a few points over the range for the sparkline, each the maximum or minimum of the gauges. */
export const trendByVault = (
  selection: MetricSelection,
  ofGauge: "max" | "min" = "max",
): MetricSelection => ({
  ...newestByVault(selection),
  trend: { pointCountMax: TREND_POINT_COUNT, ofGauge },
});

/** More points would not be visible in a sparkline as narrow as a tile. */
const TREND_POINT_COUNT = 60;

type ReadFigures = (answers: readonly MetricAnswer[], vault: string) => readonly VaultFigure[];

/** Takes answers grouped by vault; `read` returns the figures of one vault, always in the same order. */
export function figuresByVault(answers: readonly MetricAnswer[], read: ReadFigures): readonly VaultFigure[] {
  const answerVaults = ({ series }: MetricAnswer) => series.map(({ labels }) => labels.vault ?? "");
  const vaults = [...new Set(answers.flatMap(answerVaults))].sort();
  if (vaults.length <= 1) return read(answers, vaults[0] ?? "");
  const ofVaults = vaults.map((vault) => ({ vault, figures: read(answersOfVault(answers, vault), vault) }));
  return read([], "").map((none, i) => {
    const all = ofVaults.map(({ vault, figures }) => ({ vault, figure: figures[i] ?? none }));
    const ranked = all.filter(({ figure }) => figure.rank !== undefined).sort(worseFirst);
    // A vault without a rank may still have a more specific reason.
    const told = all.filter(({ figure }) => figure.statistic !== none.statistic);
    const [worst, ...others] = ranked.length > 0 ? ranked : told;
    return worst === undefined ? none : withOthers(worst, others);
  });
}

/** Restricts answers to the series of one vault. */
export const answersOfVault = (answers: readonly MetricAnswer[], vault: string): MetricAnswer[] =>
  answers.map((answer) => ({
    ...answer,
    series: answer.series.filter(({ labels }) => (labels.vault ?? "") === vault),
  }));

interface OfVault {
  readonly vault: string;
  readonly figure: VaultFigure;
}

const severities: Partial<Record<Status, number>> = { bad: 2, warning: 1 };
const figureSeverity = ({ figure: { status } }: OfVault): number =>
  status === undefined ? 0 : (severities[status] ?? 0);

function worseFirst(a: OfVault, b: OfVault): number {
  const [one, other] = [a.figure.rank ?? 0, b.figure.rank ?? 0];
  return figureSeverity(b) - figureSeverity(a) || (one === other ? 0 : other - one);
}

function withOthers({ vault, figure }: OfVault, others: readonly OfVault[]): VaultFigure {
  const alsoBad = others.filter((other) => other.figure.problem !== undefined).map((other) => other.vault);
  return {
    ...figure,
    vaultWords: [vault, ...othersInWords(figure, others)].join("; "),
    ...(figure.problem === undefined
      ? {}
      : { problem: `${named(figure.problem, vault)}${alsoInWords(alsoBad)}` }),
  };
}

/** Adds the vault's name to sentences that do not name it yet. */
const named = (problem: string, vault: string): string =>
  problem.includes(vault) ? problem : `${vault}: ${problem}`;

const WORDS_MAX = 2;

/** "others 2 to 5 %", "west 2 %", "others alike". */
function othersInWords(worst: VaultFigure, others: readonly OfVault[]): string[] {
  const [first] = others;
  if (first === undefined) return [];
  const name = others.length === 1 ? first.vault : "others";
  const values = others.map(({ figure }) => figure.value);
  if (values.every((value) => value === worst.value)) return [`${name} alike`];
  const numbers = values.filter((value) => typeof value === "number");
  const words = [...new Set(values.filter((value) => typeof value === "string"))];
  const told = [
    ...(numbers.length === 0 ? [] : [formatSpread(worst, Math.min(...numbers), Math.max(...numbers))]),
    ...(words.length > WORDS_MAX ? [] : words),
  ];
  return told.length === 0 ? [] : [`${name} ${told.join(", ")}`];
}

function formatSpread({ quantity }: VaultFigure, least: number, most: number): string {
  const unit = chooseUnit(quantity, most);
  const [low, high] = [formatIn(unit, least), formatWith(unit, most)];
  return low === formatIn(unit, most) ? high : `${low} to ${high}`;
}

const NAMES_MAX = 3;

function alsoInWords(vaults: readonly string[]): string {
  if (vaults.length === 0) return "";
  const named = vaults.slice(0, NAMES_MAX).join(", ");
  const rest = vaults.length - NAMES_MAX;
  return rest > 0 ? ` Also ${named} and ${rest} more.` : ` Also ${named}.`;
}
