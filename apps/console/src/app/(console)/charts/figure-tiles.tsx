"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { TileGrid } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import type { VaultFigure } from "./figure.ts";
import { FigureTile } from "./figure-tile.tsx";

interface FigureTilesProps {
  readonly figures: readonly VaultFigure[];
  /** Undefined until the figures have values. */
  readonly answers: readonly MetricAnswer[] | undefined;
}

/** Tiles of a page that shows these figures itself, so that they link to no other page. */
export function FigureTiles({ figures, answers }: FigureTilesProps) {
  return (
    <TileGrid>
      {figures.map((figure) =>
        answers === undefined ? (
          <Skeleton key={figure.id} height={104} />
        ) : (
          <FigureTile key={figure.id} figure={figure} answers={answers} isLinked={false} />
        ),
      )}
    </TileGrid>
  );
}
