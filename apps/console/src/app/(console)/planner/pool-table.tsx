"use client";
import {
  bytesInWords,
  describeOutgrown,
  figureInWords,
  outageInWords,
  type PoolVerdict,
  type StashAnswer,
  shareInWords,
  timesInWords,
  usdInWords,
} from "@stashlight/planner";
import { FigureTable } from "./figure-table.tsx";

/** The installed pool first, if there is one. */
export const poolVerdicts = ({ planned, installed }: StashAnswer): PoolVerdict[] =>
  installed === null ? [planned] : [installed, planned];

/** Compares the installed pool with the proposed one, question by question. */
export function PoolTable({ answer }: { answer: StashAnswer }) {
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
        row(
          "Drives",
          ({ pool }) => `${figureInWords(pool.drives)} in ${figureInWords(pool.servers)} servers`,
        ),
        row("Size of a drive", ({ pool }) => bytesInWords(pool.drive.capacityBytes)),
        row("Suffices", describeSufficiency),
        row("Today's load fits", ({ times }) => timesInWords(times)),
        row("Met first", ({ firstConstraint }) => firstConstraint),
        row("Busiest ports", ({ network: { ports } }) =>
          ports
            .slice(0, 1)
            .map(({ of, utilisation }) => `${of}, ${shareInWords(utilisation)}`)
            .join(""),
        ),
        row("Outgrown", ({ outgrownAtMonth }) => describeOutgrown(answer.input, outgrownAtMonth)),
        row("Longest outage", ({ outageSecondsMax }) =>
          outageSecondsMax === null ? "–" : outageInWords(outageSecondsMax).replace("more than", "up to"),
        ),
        row(
          "Writes of each drive",
          ({ driveWritesPerDay: writes, pool }) =>
            `${figureInWords(writes)} of ${figureInWords(pool.drive.driveWritesPerDay)} DWPD`,
        ),
        row("Price", ({ cost }) => usdInWords(cost.totalUsd)),
      ]}
    />
  );
}

function describeSufficiency({ suffices, sufficesToday, network }: PoolVerdict): string {
  if (suffices) return network.suffices ? "yes" : "yes, but not the network";
  return sufficesToday ? "today, not at the horizon" : "no";
}
