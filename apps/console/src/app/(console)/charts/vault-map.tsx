"use client";
import { formatFillShort } from "@stashlight/contracts/space";
import { silenceMarks } from "@stashlight/contracts/thresholds";
import { cx, UiLink } from "@stashlight/ui";
import { chartFrameClass } from "@stashlight/ui/chart-frame";
import { Time } from "@stashlight/ui/data";
import { Skeleton, StatusDot, StatusShape } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Server } from "lucide-react";
import type { ReactNode } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { NextStep } from "../../../client/next-step.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";
import { useVaultState } from "./use-vault-state.ts";
import { type VaultCell, vaultCells, vaultSelections } from "./vault-cells.ts";
import { silentNodes } from "./vault-state.ts";

interface VaultMapProps {
  readonly title?: string;
  readonly nodeIds?: string[] | undefined;
  /** True for a map the size of a chart, with small cells and no legend. */
  readonly isCompact?: boolean;
}

/** Maps pods and stash servers: state, lag and fill of each drive, with links. */
export function VaultMap({ title = "Vault", nodeIds, isCompact = false }: VaultMapProps) {
  const { range, nowMs, isLive } = usePageTime();
  const { answers, error, retry } = useMetrics(vaultSelections.map((one) => ({ ...one, nodeIds })));
  const state = useVaultState();
  const atMs = isLive ? nowMs : range.toMs;
  const step = answers?.[0]?.stepMs ?? 0;
  const cells =
    answers === undefined
      ? null
      : vaultCells(answers, {
          nowMs: atMs,
          staleAfterMs: silenceMarks.shownAfterMs + 2 * step,
          silentNodes: silentNodes(state),
        });
  const origin = answers === undefined ? null : describeOrigin(answers.slice(0, 1));
  const map =
    cells === null ? null : cells.pods.length + cells.stashNodes.length === 0 ? (
      <NextStep
        icon={<Server />}
        title="No drive has reported in this time range"
        step={{ label: "Vaults and nodes", href: "/vaults" }}
      >
        Drives appear here a few seconds after an enrolled pod or stash node starts.
      </NextStep>
    ) : (
      <DriveCells cells={cells} isCompact={isCompact}>
        {origin?.newestMs != null && <Time value={origin.newestMs} show="age" />}
        {origin?.caveats.map((caveat) => ` · ${caveat}`)}
      </DriveCells>
    );
  const failure = cells === null && error !== null && (
    <QueryError what="The vault" error={error} onRetry={retry} />
  );
  if (isCompact) {
    return (
      <section aria-label={title} className={chartFrameClass}>
        <h2 title={title} className="truncate text-base font-medium text-ink">
          <UiLink href="/vaults">{title}</UiLink>
        </h2>
        {map ?? failure ?? null}
        {cells === null && !failure && <Skeleton height={COMPACT_PX} isExact />}
      </section>
    );
  }
  return (
    <Section title={title} actions={<Legend />}>
      {cells === null && !failure && <Skeleton height={188} />}
      {failure}
      {map}
    </Section>
  );
}

/** Height of two rows of pods and one of stash devices. */
const COMPACT_PX = 226;

function Legend() {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-faint">
      <StatusDot status="good" label="running" />
      <StatusDot status="warning" label="nearly full or corrupt records" />
      <StatusDot status="bad" label="not running or full" />
      <StatusDot status="unknown" label="silent" />
    </p>
  );
}

interface MapProps {
  readonly cells: ReturnType<typeof vaultCells>;
  readonly isCompact: boolean;
  /** Age and caveats of the data. */
  readonly children: ReactNode;
}

function DriveCells({ cells: { stashNodes, pods }, isCompact, children }: MapProps) {
  return (
    <div
      className={
        isCompact
          ? "flex flex-1 flex-col gap-2"
          : "flex flex-col gap-4 rounded-md border border-line bg-surface px-4 py-3"
      }
    >
      {stashNodes.length > 0 && isCompact && (
        <Cells title="Stash: share used by unpurged shards, age of the oldest" layout="compact">
          {stashNodes
            .flatMap(({ cells }) => cells)
            .map((cell) => (
              <Cell key={`${cell.node} ${cell.device}`} cell={cell} isCompact />
            ))}
        </Cells>
      )}
      {stashNodes.length > 0 && !isCompact && (
        <Cells
          title="Stash, SSD: share used by unpurged shards, age of the oldest waiting shard"
          layout="nodes"
        >
          {stashNodes.map(({ node, cells }) => (
            <li key={node} className="flex flex-col gap-1">
              <span title={node} className="max-w-40 truncate text-xs text-faint">
                {node}
              </span>
              <ul className="flex gap-1">
                {cells.map((cell) => (
                  <Cell key={cell.device} cell={cell} />
                ))}
              </ul>
            </li>
          ))}
        </Cells>
      )}
      {pods.length > 0 && (
        <Cells title="Pods, HDD: fill, shards not yet durable" layout={isCompact ? "compact" : "grid"}>
          {pods.map((cell) => (
            <Cell key={`${cell.node} ${cell.device}`} cell={cell} isCompact={isCompact} />
          ))}
        </Cells>
      )}
      <p className="mt-auto min-h-4 text-sm text-faint tabular-nums">{children}</p>
    </div>
  );
}

const cellsClass = {
  nodes: "flex flex-wrap gap-x-4 gap-y-2",
  grid: "grid grid-cols-[repeat(auto-fill,68px)] gap-1 lg:grid-cols-[repeat(10,68px)]",
  compact: "grid grid-cols-10 gap-[3px]",
};

interface CellsProps {
  readonly title: string;
  readonly layout: keyof typeof cellsClass;
  readonly children: ReactNode;
}

function Cells({ title, layout, children }: CellsProps) {
  return (
    <div className={cx("flex flex-col", layout === "compact" ? "gap-1" : "gap-1.5")}>
      <h3 className="text-sm font-medium text-muted">{title}</h3>
      <ul className={cellsClass[layout]}>{children}</ul>
    </div>
  );
}

const ground = { pod: "bg-pod", stash: "bg-stash" };

/** The cell's level is the fill; its corner shape is the state. */
function Cell({ cell, isCompact = false }: { cell: VaultCell; isCompact?: boolean }) {
  const { search } = usePageTime();
  const { node, device, tier, status, fill, lag, lagBrief, sentence } = cell;
  // Ten cells side by side on a phone leave 31 px: three characters and a gap before the shape, or "10 %".
  const small = isCompact && "max-sm:text-[10px]";
  return (
    <li>
      <UiLink
        href={deviceHref(search, node, device)}
        title={sentence}
        className={cx(
          "relative flex flex-col overflow-hidden rounded-sm border no-underline",
          isCompact ? "h-12 px-0.5 leading-[14px] max-sm:px-px" : "h-14 w-[68px] px-1.5 py-1",
          status === "bad" ? "border-bad" : status === "warning" ? "border-warning" : "border-line-strong",
          status === "unknown" ? "hatched" : "bg-sunken",
          "hover:border-control",
        )}
      >
        <span
          aria-hidden="true"
          className={cx("absolute inset-x-0 bottom-0 opacity-25", ground[tier])}
          style={{ height: `${Math.min(1, fill ?? 0) * 100}%` }}
        />
        <span className="sr-only">{sentence}</span>
        <span
          aria-hidden="true"
          className={cx("relative flex items-center justify-between font-mono text-xs text-ink", small)}
        >
          {device}
          <StatusShape status={status} size={8} />
        </span>
        <span aria-hidden="true" className={cx("relative truncate text-xs text-ink tabular-nums", small)}>
          {fill === null ? "–" : formatFillShort(fill)}
        </span>
        <span aria-hidden="true" className={cx("relative truncate text-xs text-ink tabular-nums", small)}>
          {isCompact ? lagBrief : lag}
        </span>
      </UiLink>
    </li>
  );
}
