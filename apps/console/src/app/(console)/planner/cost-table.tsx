"use client";
import { formatFigure, formatPlanBytes, formatShare, formatUsd, type PoolVerdict } from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";

/** List prices from the form; neither column includes power, racks and staff. */
export function CostTable({ cost, pool }: PoolVerdict) {
  const ratio =
    cost.allSsdRatio === null ? "nothing to compare with" : `${formatFigure(cost.allSsdRatio)} times as much`;
  const rows: [name: string, value: string, note: string][] = [
    ["Drives", formatUsd(cost.drivesUsd), `${formatFigure(pool.drives)} drives`],
    ["Servers", formatUsd(cost.serversUsd), `${formatFigure(pool.servers)} servers, without drives`],
    ["Stash", formatUsd(cost.totalUsd), "drives and servers"],
    [
      "Per TB landed",
      formatUsd(cost.usdPerTbLanded),
      `${formatPlanBytes(cost.landedBytes)} of uploads in its service`,
    ],
    ["Vault on HDD", formatUsd(cost.hddVaultUsd), `${formatPlanBytes(cost.vaultRawBytes)} with parity`],
    [
      "Vault on HDD with stash",
      formatUsd(cost.hddVaultWithStashUsd),
      cost.stashShare === null ? "" : `${formatShare(cost.stashShare)} of it the stash`,
    ],
    ["Vault on SSDs alone", formatUsd(cost.allSsdVaultUsd), ratio],
  ];
  return (
    <Section title="Cost" description="At the prices of the form, without power, racks and staff.">
      <FigureTable
        label="Cost"
        columns={["Item", "US dollars", "Basis"]}
        rows={rows.map(([name, value, note]) => ({ name, cells: [value, note] }))}
      />
    </Section>
  );
}
