"use client";
import type { ApiOutputs } from "@stashlight/api";
import { formatBytes, formatCount, formatElapsed } from "@stashlight/ui";
import { ChartPanel } from "@stashlight/ui/chart";
import { Tile, TileGrid } from "@stashlight/ui/data";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import {
  basisCaveats,
  formatBasis,
  latencyChart,
  occupancyChart,
  purgeLagChart,
  type ScenarioResult,
  troubleChart,
} from "../result-charts.ts";
import { Prediction } from "./prediction-panel.tsx";
import { FormulaTable, Stretches } from "./tables.tsx";

type Simulation = ApiOutputs["simulation"]["get"];

export function Results({ simulation, result }: { simulation: Simulation; result: ScenarioResult }) {
  return (
    <>
      <Figures result={result} />
      <Charts simulation={simulation} result={result} />
      <Section
        title="Formula and simulation"
        description="The planner's formulas for the same scenario, beside the simulated figures."
      >
        <FormulaTable result={result} />
      </Section>
      <Section
        title="Prediction and measurement"
        description="Simulated uploads through the stash, compared with those of the live vault that the scenario is based on."
      >
        <Prediction simulation={simulation} result={result} />
      </Section>
      <Section
        title="Scope of the run"
        description="These stretches are run message by message; all other figures are derived from the nearest of them."
      >
        <Stretches simulation={simulation} result={result} />
      </Section>
    </>
  );
}

const ms = (value: number): string => value.toPrecision(3);

function Figures({ result }: { result: ScenarioResult }) {
  const { stash, direct, withoutStash, timeToFull, basis, formula, usableBytes } = result;
  const fallbackCount = Object.values(result.fallbackCounts).reduce((sum, count) => sum + count, 0);
  return (
    <TileGrid>
      <Tile
        title="Upload through the stash"
        value={stash === null ? null : ms(stash.p99Ms)}
        unit="ms"
        statistic={stash === null ? "p99" : `p99, p50 ${ms(stash.p50Ms)} ms`}
        {...(stash === null ? { missing: "none was acknowledged" } : { n: stash.sampleCount })}
        source="simulated"
      />
      <Tile
        title="Upload without the stash"
        value={withoutStash === null ? null : ms(withoutStash.p99Ms)}
        unit="ms"
        statistic={withoutStash === null ? "p99" : `p99, p50 ${ms(withoutStash.p50Ms)} ms`}
        {...(withoutStash === null ? { missing: "none was acknowledged" } : { n: withoutStash.sampleCount })}
        source="simulated, the same load without faults"
      />
      <Tile
        title="Peak stash usage"
        value={formatBytes(formula.highestBytesSimulated)}
        statistic={`of ${formatBytes(usableBytes)} until it is full`}
        source={`simulated, ${basis}`}
      />
      <Tile
        title="Time to full"
        value={timeToFull === null ? "never" : formatElapsed(timeToFull.second * 1000)}
        statistic="after the start"
        source={`simulated, ${timeToFull?.basis ?? basis}`}
        status={timeToFull === null ? "good" : "warning"}
      />
      <Tile
        title="Fell back to the direct path"
        value={formatCount(fallbackCount)}
        unit="uploads"
        statistic={describeFallbacks(result) ?? "of those that were run"}
        n={result.uploadCount.run}
        source="simulated"
        status={fallbackCount === 0 ? "good" : "warning"}
      />
      <Tile
        title="Failed"
        value={formatCount(result.failureCount)}
        unit="uploads"
        statistic={direct === null ? "of those that were run" : `direct p99 ${ms(direct.p99Ms)} ms`}
        n={result.uploadCount.run}
        source="simulated"
        status={result.failureCount === 0 ? "good" : "bad"}
      />
    </TileGrid>
  );
}

function describeFallbacks({ fallbackCounts }: ScenarioResult): string | null {
  const reasons = Object.entries(fallbackCounts).filter(([, count]) => count > 0);
  return reasons.length === 0
    ? null
    : reasons.map(([reason, count]) => `${reason} ${formatCount(count)}`).join(", ");
}

function Charts({ simulation, result }: { simulation: Simulation; result: ScenarioResult }) {
  const { scenario, seed, version } = simulation;
  const charts = useMemo(
    () => ({
      occupancy: occupancyChart(result, scenario),
      latency: latencyChart(result, scenario),
      lag: purgeLagChart(result, scenario),
      trouble: troubleChart(result, scenario),
    }),
    [result, scenario],
  );
  const common = {
    source: `seed ${seed}, version ${version ?? "unknown"}, ${formatBasis(result)}`,
    caveats: basisCaveats(result),
    empty: "Nothing of this kind happened in the scenario.",
  };
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <ChartPanel
        title="Does the stash fill?"
        metric="bytes on all stash drives: mean and highest of each step"
        chart={charts.occupancy}
        exportName="simulated-occupancy"
        {...common}
      />
      <ChartPanel
        title="How long do uploads take?"
        metric="upload latency by path: p50, p90, p99"
        chart={charts.latency}
        exportName="simulated-latency"
        {...common}
      />
      <ChartPanel
        title="Is purge keeping up?"
        metric="purge lag, durable on the stash to purged: p50, p99"
        chart={charts.lag}
        exportName="simulated-purge-lag"
        {...common}
      />
      <ChartPanel
        title="What falls back, and what fails?"
        metric="uploads, fallbacks and failures per second"
        chart={charts.trouble}
        exportName="simulated-fallbacks"
        {...common}
      />
    </div>
  );
}
