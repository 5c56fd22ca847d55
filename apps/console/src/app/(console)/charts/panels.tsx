"use client";
/** Charts as pages use them: fetched beside the page instead of before it, into a frame of their size. */
import { ChartFrame } from "@stashlight/ui/chart-frame";
import { Skeleton } from "@stashlight/ui/feedback";
import { type ComponentType, createElement, lazy } from "react";
import { WhenNear } from "../../../client/when-near.tsx";
import type { MultiplesPanelProps } from "./multiples-panel.tsx";
import type { PanelProps } from "./use-panel.tsx";

// Asked for as soon as this file runs, which is before the page is alive: charts do not come a round trip later.
const loading = import("./all-panels.ts");

function lazyPanel<Props extends PanelProps>(
  pick: (panels: Awaited<typeof loading>) => ComponentType<Props>,
): ComponentType<Props> {
  const Panel = lazy(async () => ({ default: pick(await loading) }));
  return function LazyPanel(props: Props) {
    const { title, metric, heightPx, className } = props;
    return (
      <WhenNear
        fallback={<ChartFrame title={title} metric={metric} heightPx={heightPx} className={className} />}
      >
        {createElement(Panel as ComponentType<Props>, props)}
      </WhenNear>
    );
  };
}

export const LinesPanel = lazyPanel((panels) => panels.LinesPanel);
export const BarsPanel = lazyPanel((panels) => panels.BarsPanel);
export const HeatmapPanel = lazyPanel((panels) => panels.HeatmapPanel);

const Multiples = lazy(async () => ({ default: (await loading).MultiplesPanel }));

export function MultiplesPanel(props: MultiplesPanelProps) {
  return (
    <WhenNear fallback={<Skeleton height={220} />}>
      <Multiples {...props} />
    </WhenNear>
  );
}
