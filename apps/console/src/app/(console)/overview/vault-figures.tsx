"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { TileGrid } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import type { VaultFigure } from "../charts/figure.ts";
import { FigureTile, originsOf } from "../charts/figure-tile.tsx";
import { QueryError } from "../query-state.tsx";
import { figureSelections, noFigures, readFigures } from "./vault-summary.ts";

/** The space of the vaults and the write path, in figures at the end of the page's time range. */
export function VaultFigures() {
  const { answers, error, retry } = useMetrics(figureSelections);
  if (answers === undefined && error !== null) {
    return (
      <Section title="Space and write path">
        <QueryError what="The figures of the vaults" error={error} onRetry={retry} />
      </Section>
    );
  }
  const { space, writePath } = answers === undefined ? noFigures : readFigures(answers);
  return (
    <>
      <FigureSection title="Space" figures={space} answers={answers} />
      <FigureSection title="Write path" figures={writePath} answers={answers} />
    </>
  );
}

interface FigureSectionProps {
  readonly title: string;
  readonly figures: readonly VaultFigure[];
  readonly answers: readonly MetricAnswer[] | undefined;
}

function FigureSection({ title, figures, answers }: FigureSectionProps) {
  return (
    <Section title={title}>
      <TileGrid>
        {figures.map((figure) =>
          answers === undefined ? (
            <Skeleton key={figure.id} height={104} />
          ) : (
            <FigureTile key={figure.id} figure={figure} answers={answers} />
          ),
        )}
      </TileGrid>
    </Section>
  );
}

type Problem = VaultFigure & { readonly caveats: readonly string[] };

/** Figures that need a person; none while they are on their way. */
export function useVaultProblems(): readonly Problem[] {
  const { answers } = useMetrics(figureSelections);
  if (answers === undefined) return [];
  const { space, writePath } = readFigures(answers);
  const figures = [...space, ...writePath].filter(({ problem }) => problem !== undefined);
  return figures
    .toSorted((a, b) => Number(b.status === "bad") - Number(a.status === "bad"))
    .map((figure) => ({ ...figure, caveats: describeOrigin(originsOf(figure, answers)).caveats }));
}

export function VaultProblem({ problem, status, href, caveats }: Problem) {
  const { search } = usePageTime();
  return (
    <Callout
      status={status}
      title={problem}
      action={
        <LinkButton href={`${href}${search}`} size="sm">
          See why
        </LinkButton>
      }
    >
      {caveats.length > 0 && caveats.join(" · ")}
    </Callout>
  );
}
