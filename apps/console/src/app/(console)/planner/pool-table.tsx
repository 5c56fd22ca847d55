"use client";
import {
  describeOutgrown,
  formatFigure,
  formatOutage,
  formatPlanBytes,
  formatShare,
  formatTimes,
  formatUsd,
  type PoolVerdict,
  type StashAnswer,
} from "@stashlight/planner";
import { FigureTable } from "./figure-table.tsx";
import { growthSources, NOT_JUDGED, type PlanBasis } from "./load-source.ts";

/** The installed pool first, if there is one. */
export const poolVerdicts = ({ planned, installed }: StashAnswer): PoolVerdict[] =>
  installed === null ? [planned] : [installed, planned];

interface PoolTableProps {
  readonly answer: StashAnswer;
  readonly basis: PlanBasis;
}

/** Compares the installed pool with the proposed one in a row per question. */
export function PoolTable({ answer, basis: { unjudged, growthFrom } }: PoolTableProps) {
  const verdicts = poolVerdicts(answer);
  const row = (name: string, say: (verdict: PoolVerdict) => string) => ({ name, cells: verdicts.map(say) });
  return (
    <FigureTable
      label="Pools"
      columns={[
        "Pool",
        ...verdicts.map(({ pool }) => (pool.basis === "installed" ? "What you have" : "What you would buy")),
      ]}
      rows={[
        row("Drives", ({ pool }) => `${formatFigure(pool.drives)} in ${formatFigure(pool.servers)} servers`),
        row("Size of a drive", ({ pool }) => formatPlanBytes(pool.drive.capacityBytes)),
        row("Suffices", (verdict) =>
          unjudged !== null && verdict.pool.basis === "installed" ? NOT_JUDGED : describeSufficiency(verdict),
        ),
        row("Today's load fits", ({ times }) => formatTimes(times)),
        row("First limit", ({ firstConstraint }) => firstConstraint),
        row("Busiest ports", ({ network: { ports } }) =>
          ports
            .slice(0, 1)
            .map(({ of, utilisation }) => `${of}, ${formatShare(utilisation)}`)
            .join(""),
        ),
        row(`Outgrown by ${growthSources[growthFrom]}`, ({ outgrownAtMonth }) =>
          unjudged === null ? describeOutgrown(answer.input, outgrownAtMonth) : NOT_JUDGED,
        ),
        row("Longest outage", ({ outageSecondsMax }) =>
          outageSecondsMax === null ? "–" : formatOutage(outageSecondsMax).replace("more than", "up to"),
        ),
        row(
          "Writes of each drive",
          ({ driveWritesPerDay: writes, pool }) =>
            `${formatFigure(writes)} of ${formatFigure(pool.drive.driveWritesPerDay)} DWPD`,
        ),
        row("Price", ({ cost }) => formatUsd(cost.totalUsd)),
      ]}
    />
  );
}

function describeSufficiency({ suffices, sufficesToday, network }: PoolVerdict): string {
  if (suffices) return network.suffices ? "yes" : "yes, but not the network";
  return sufficesToday ? "today, not at the horizon" : "no";
}
