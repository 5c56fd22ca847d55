"use client";
import {
  type BenchmarkLatestVerdict,
  describeVerdictShortly,
  explainCaveat,
  formatCaveat,
  formatContaminatedCount,
  formatContamination,
  formatVerdictSource,
} from "@stashlight/contracts/benchmark";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { formatSubject, subjectKey } from "../benchmarks/results/subject.ts";

const refetchMs = 15_000;

/** Verdicts of the last two weeks of benchmarks; empty if none compares anything. */
export function BenchmarkVerdicts() {
  const trpc = useTRPC();
  const verdicts = useQuery(
    trpc.benchmarkResult.latestVerdicts.queryOptions(undefined, { refetchInterval: refetchMs }),
  );
  if (verdicts.isPending) return <Skeleton height={0} />;
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
  const { a, b, planName, planId, lastRunAt, sentence, contamination, caveats } = latest;
  const { value, about } = describeVerdictShortly(latest);
  const labels = [a, b].map(({ endpoint }) => endpoint.label).filter((label) => label !== "measured");
  return (
    <Tile
      title={`${formatSubject(latest)} · ${planName}`}
      value={value}
      href={`/benchmarks/plans/${planId}/results?subject=${subjectKey(latest)}`}
      age={<Time value={lastRunAt} show="age" />}
      source={[formatVerdictSource(latest), ...new Set(labels)].join(", ")}
    >
      <p className="text-sm text-muted" title={`${sentence} (${a.endpoint.name}; ${b.endpoint.name})`}>
        {about}
      </p>
      {contamination !== null && (
        <p className="text-sm text-warning" title={formatContamination(contamination)}>
          {formatContaminatedCount(contamination)}
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
