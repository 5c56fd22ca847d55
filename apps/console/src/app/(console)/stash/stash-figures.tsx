"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { VaultForecast } from "../../../client/forecasts.ts";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useForecasts } from "../../../client/use-forecasts.ts";
import { figuresByVault, newestByVault } from "../charts/by-vault.ts";
import type { VaultFigure } from "../charts/figure.ts";
import { FigureTiles } from "../charts/figure-tiles.tsx";
import { lastPoint } from "../charts/occupancy.ts";
import { stashFigures, stashSelections } from "../charts/stash-figures.ts";
import { useVaultState } from "../charts/use-vault-state.ts";
import { applyVaultState } from "../charts/vault-state.ts";
import { QueryError } from "../query-state.tsx";

const oldestUnpurged = "stashlight_stash_oldest_unpurged_seconds";
const freeSegments = "stashlight_stash_free_segments";

const selections: readonly MetricSelection[] = [
  ...stashSelections,
  newestByVault({ metric: oldestUnpurged, across: "max" }),
  newestByVault({ metric: freeSegments, across: "min" }),
];

/** Four figures of the stash, at the end of the page's time range. */
export function StashFigures() {
  const { answers, error, retry } = useMetrics(selections);
  const forecasts = useForecasts();
  const state = useVaultState();
  if (answers === undefined && error !== null) {
    return <QueryError what="The state of the stash" error={error} onRetry={retry} />;
  }
  return (
    <FigureTiles
      figures={figuresByVault(answers ?? [], (ofVault, vault) =>
        applyVaultState(vaultFigures(ofVault, forecasts), state, vault),
      )}
      answers={answers}
    />
  );
}

function vaultFigures(answers: readonly MetricAnswer[], forecasts: readonly VaultForecast[]): VaultFigure[] {
  const oldest = lastPoint(answerTo(answers, oldestUnpurged)?.series[0]);
  const free = lastPoint(answerTo(answers, freeSegments)?.series[0]);
  const shared = { href: "/stash", missing: "not reported yet" };
  const { occupancy, timeToFull } = stashFigures(answers, forecasts);
  return [
    occupancy,
    timeToFull,
    {
      ...shared,
      id: "oldest",
      title: "Oldest unpurged shard",
      value: oldest?.value ?? null,
      ...(oldest === null ? {} : { rank: oldest.value, untilMs: oldest.untilMs }),
      quantity: "seconds",
      statistic: "of any device",
      metrics: [oldestUnpurged],
    },
    {
      ...shared,
      id: "free",
      title: "Free segments",
      value: free === null ? null : Math.round(free.value),
      ...(free === null ? {} : { rank: -free.value, untilMs: free.untilMs }),
      quantity: "count",
      statistic: "fewest of any device",
      metrics: [freeSegments],
    },
  ];
}
