"use client";
import { lazyPart } from "@stashlight/ui";
import { TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useForecasts } from "../../../client/use-forecasts.ts";
import { figureEndMs, figureOrigins, type VaultFigure } from "../charts/figure.ts";
import { FigureTile } from "../charts/figure-tile.tsx";
import { oldestReportMs } from "../charts/quiet.ts";
import { useVaultState } from "../charts/use-vault-state.ts";
import { QueryError } from "../query-state.tsx";
import type { FiguresAge } from "./figures-age.ts";
import { Problem } from "./problem.tsx";
import {
  figureSelections,
  noFigures,
  readFigures,
  type VaultFigures as VaultFiguresRead,
} from "./vault-summary.ts";

/** State of the write path in nine figures, at the end of the page's time range. */
export function WritePathFigures() {
  return <Figures title="Write path" pick={({ writePath }) => writePath} />;
}

const DurabilityNow = lazyPart(async () => (await import("./durability-now.tsx")).DurabilityNow);
const durabilityPlace = <Skeleton width="100%" height={124} />;

/** Durability of stored data, space of the pods, and health of the drives of pods and stash. */
export function SpaceFigures() {
  return (
    <>
      <DurabilityNow fallback={durabilityPlace} />
      <Figures title="Space and drives" pick={({ space }) => space} />
    </>
  );
}

interface FiguresProps {
  readonly title: string;
  readonly pick: (figures: VaultFiguresRead) => readonly VaultFigure[];
}

function Figures({ title, pick }: FiguresProps) {
  const { answers, error, retry } = useMetrics(figureSelections);
  const forecasts = useForecasts();
  const state = useVaultState();
  const { ageEndMs } = usePageTime();
  if (answers === undefined && error !== null) {
    return (
      <Section title={title}>
        <QueryError what="The figures of the vaults" error={error} onRetry={retry} />
      </Section>
    );
  }
  return (
    <Section title={title}>
      <TileGrid>
        {pick(answers === undefined ? noFigures : readFigures(answers, forecasts, ageEndMs, state)).map(
          (figure) =>
            answers === undefined ? (
              <Skeleton key={figure.id} height={104} />
            ) : (
              <FigureTile key={figure.id} figure={figure} answers={answers} isDense />
            ),
        )}
      </TileGrid>
    </Section>
  );
}

export type VaultProblemProps = VaultFigure & {
  /** Time that the figure describes; null if unknown. */
  readonly atMs: number | null;
  readonly caveats: readonly string[];
};

export interface VaultProblems {
  /** Figures that need attention. */
  readonly found: readonly VaultProblemProps[];
  readonly age: FiguresAge;
}

/** Returns null while loading. */
export function useVaultProblems(): VaultProblems | null {
  const { answers, error } = useMetrics(figureSelections);
  const forecasts = useForecasts();
  const state = useVaultState();
  const { ageEndMs: nowMs, paceMs } = usePageTime();
  if (answers === undefined)
    return error === null ? null : { found: [], age: { reportedMs: undefined, nowMs, paceMs } };
  const { space, writePath } = readFigures(answers, forecasts, nowMs, state);
  const found = [...space, ...writePath]
    .filter(({ problem }) => problem !== undefined)
    .toSorted((a, b) => Number(b.status === "bad") - Number(a.status === "bad"))
    .map((figure) => ({
      ...figure,
      atMs: figureEndMs(figure, answers),
      caveats: describeOrigin(figureOrigins(figure, answers)).caveats,
    }));
  return { found, age: { reportedMs: oldestReportMs(answers, nowMs), nowMs, paceMs } };
}

export function VaultProblem(props: VaultProblemProps & { readonly children: ReactNode }) {
  const { problem, status, href, atMs, caveats, children } = props;
  const { search } = usePageTime();
  return (
    <Problem status={status} title={problem} link={{ href: `${href}${search}`, label: "See why" }}>
      {children}{" "}
      {atMs !== null && (
        <>
          As of <Time value={atMs} show="age" />.
        </>
      )}{" "}
      {caveats.join(" · ")}
    </Problem>
  );
}
