"use client";
/** Charts for pages. Their code loads in parallel with the page, into frames of the final size. */
import { lazyPart } from "@stashlight/ui";
import { ChartFrame } from "@stashlight/ui/chart-frame";
import { Skeleton } from "@stashlight/ui/feedback";
import { type ComponentType, createElement } from "react";
import { WhenNear } from "../../../client/when-near.tsx";
import type { MultiplesPanelProps } from "./multiples-panel.tsx";
import type { PanelProps } from "./use-panel.tsx";

const loadPanels = () => import("./all-panels.ts");

function panelPart<Props extends PanelProps>(
  pick: (panels: Awaited<ReturnType<typeof loadPanels>>) => ComponentType<Props>,
): ComponentType<Props> {
  const Panel = lazyPart(async () => pick(await loadPanels()));
  Panel.preload();
  return function PanelWhenNear(props: Props) {
    const { title, metric, heightPx, className } = props;
    const frame = <ChartFrame title={title} metric={metric} heightPx={heightPx} className={className} />;
    return <WhenNear fallback={frame}>{createElement(Panel, { ...props, fallback: frame })}</WhenNear>;
  };
}

export const LinesPanel = panelPart((panels) => panels.LinesPanel);
export const BarsPanel = panelPart((panels) => panels.BarsPanel);
export const HeatmapPanel = panelPart((panels) => panels.HeatmapPanel);

const Multiples = lazyPart(async () => (await loadPanels()).MultiplesPanel);
const multiplesPlace = <Skeleton height={220} />;

export function MultiplesPanel(props: MultiplesPanelProps) {
  return (
    <WhenNear fallback={multiplesPlace}>
      <Multiples {...props} fallback={multiplesPlace} />
    </WhenNear>
  );
}
