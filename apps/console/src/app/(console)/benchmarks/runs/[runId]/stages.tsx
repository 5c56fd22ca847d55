"use client";
import type { BenchmarkRunDetails } from "@stashlight/contracts/benchmark";
import { Badge } from "@stashlight/ui/feedback";
import { Checkbox } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { PlainTable } from "@stashlight/ui/plain-table";
import { useState } from "react";
import { type StageRow, stageHeaders, stageRows, windowWords } from "./stage-rows.ts";

/** One row per stage of a run: time, requests, cost, and whether it would fit into the window. */
export function Stages({ run }: { run: Pick<BenchmarkRunDetails, "report" | "stageCosts"> }) {
  const [showsMachines, setShowsMachines] = useState(false);
  const stages = run.report?.stages ?? [];
  const [first] = stages;
  if (first === undefined) return null;
  const prices =
    run.stageCosts === null
      ? "There are no costs, because the endpoint has no price list."
      : `Costs are those of the stage alone, by the endpoint's price list as of ${run.stageCosts.asOf}.`;
  return (
    <Section
      title="Stages"
      description={`Each stage is compared with the window: ${windowWords(first)}, extrapolated from its pace and not measured. ${prices}`}
      actions={
        stages.some(({ machines }) => machines.length > 1) && (
          <Checkbox label="Show each machine" checked={showsMachines} onCheckedChange={setShowsMachines} />
        )
      }
    >
      <PlainTable
        label="Stages"
        headers={["Stage", ...stageHeaders, `${windowWords(first)}?`]}
        hasUnbrokenHeaders={true}
      >
        {stageRows(stages, run.stageCosts, showsMachines).map((row) => (
          <StageTableRow key={row.key} row={row} />
        ))}
      </PlainTable>
    </Section>
  );
}

function StageTableRow({ row }: { row: StageRow }) {
  const { title, isMachine, cells, extrapolation, failure } = row;
  return (
    <tr className="h-8">
      <th
        scope="row"
        className={`py-1 text-left font-normal ${isMachine ? "pr-3 pl-6 text-muted" : "px-3 text-ink"}`}
      >
        {title}
        {failure !== null && <span className="block text-sm text-warning">{failure}</span>}
      </th>
      {cells.map((cell, i) => (
        <td key={stageHeaders[i]} className="px-3 text-right whitespace-nowrap">
          {cell}
        </td>
      ))}
      <td className="px-3 text-right whitespace-nowrap">
        {extrapolation !== null && (
          <>
            {extrapolation.time}{" "}
            <Badge status={extrapolation.fits ? "good" : "warning"}>
              {extrapolation.fits ? "fits" : "too long"}
            </Badge>
          </>
        )}
      </td>
    </tr>
  );
}
