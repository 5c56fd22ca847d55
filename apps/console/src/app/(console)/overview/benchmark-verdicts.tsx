"use client";
import type { BenchmarkLatestVerdict } from "@stashlight/contracts/benchmark/result";
import { explainCaveat, formatCaveat, formatContamination } from "@stashlight/contracts/benchmark/words";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { formatSubject, subjectKey } from "../benchmarks/results/subject.ts";

const refetchMs = 60_000;

/** What the newest two weeks of benchmarks say; nothing where nothing can be compared. */
export function BenchmarkVerdicts() {
  const trpc = useTRPC();
  const verdicts = useQuery(
    trpc.benchmarkResult.latestVerdicts.queryOptions(undefined, { refetchInterval: refetchMs }),
  );
  if (verdicts.data === undefined || verdicts.data.length === 0) return null;
  return (
    <Section title="Latest benchmark verdicts">
      <TileGrid>
        {verdicts.data.map((latest) => (
          <VerdictTile key={`${latest.planId} ${subjectKey(latest)}`} latest={latest} />
        ))}
      </TileGrid>
    </Section>
  );
}

function VerdictTile({ latest }: { latest: BenchmarkLatestVerdict }) {
  const { verdict, faster, a, b, planName, planId, pairCount, lastAt, sentence, contamination, caveats } =
    latest;
  const winner = verdict.kind === "faster" ? (verdict.which === "a" ? a : b).endpoint.name : null;
  const labels = [a, b].map(({ endpoint }) => endpoint.label).filter((label) => label !== "measured");
  return (
    <Tile
      title={`${formatSubject(latest)} · ${planName}`}
      value={winner === null ? shortly(latest) : faster.words[0]}
      href={`/benchmarks/plans/${planId}/results?subject=${subjectKey(latest)}`}
      age={<Time value={lastAt} show="relative" />}
      n={pairCount}
      source={labels[0] ?? "slots of 14 days"}
    >
      <p className="text-sm text-muted" title={sentence}>
        {winner === null ? `${a.endpoint.name}, ${b.endpoint.name}` : winner}
      </p>
      {contamination !== null && (
        <p className="text-sm text-warning" title={formatContamination(contamination)}>
          {contamination.contaminatedCount} of {contamination.runCount} runs contaminated,{" "}
          {contamination.isExcluded ? "left out" : "kept"}
        </p>
      )}
      {caveats.map((caveat) => (
        <p key={caveat.kind} className="text-sm text-warning" title={explainCaveat(caveat)}>
          {formatCaveat(caveat)}
        </p>
      ))}
    </Tile>
  );
}

function shortly({ verdict }: BenchmarkLatestVerdict): string {
  if (verdict.kind === "too few runs") return `${verdict.count} of ${verdict.countMin} slots`;
  if (verdict.kind === "faster") return "Faster";
  return verdict.because === "minimum" ? "Too small to matter" : "Not distinguishable";
}
