"use client";
import { bytesInWords, figureInWords, type PoolVerdict, shareInWords, usdInWords } from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";

/** List prices of the form; neither column includes power, racks and staff. */
export function CostTable({ cost, pool }: PoolVerdict) {
  const ratio =
    cost.allSsdRatio === null
      ? "nothing to compare with"
      : `${figureInWords(cost.allSsdRatio)} times as much`;
  const rows: [name: string, value: string, note: string][] = [
    ["Drives", usdInWords(cost.drivesUsd), `${figureInWords(pool.drives)} drives`],
    ["Servers", usdInWords(cost.serversUsd), `${figureInWords(pool.servers)} servers, without drives`],
    ["Stash", usdInWords(cost.totalUsd), "drives and servers"],
    [
      "Per TB landed",
      usdInWords(cost.usdPerTbLanded),
      `${bytesInWords(cost.landedBytes)} of uploads in its service`,
    ],
    ["Vault on HDD", usdInWords(cost.hddVaultUsd), `${bytesInWords(cost.vaultRawBytes)} with parity`],
    [
      "Vault on HDD with stash",
      usdInWords(cost.hddVaultWithStashUsd),
      cost.stashShare === null ? "" : `${shareInWords(cost.stashShare)} of it the stash`,
    ],
    ["Vault on SSDs alone", usdInWords(cost.allSsdVaultUsd), ratio],
  ];
  return (
    <Section title="Cost" description="At the prices of the form; power, racks and people are left out.">
      <FigureTable
        label="Cost"
        columns={["Item", "US dollars", "Basis"]}
        rows={rows.map(([name, value, note]) => ({ name, cells: [value, note] }))}
      />
    </Section>
  );
}
