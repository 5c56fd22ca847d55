"use client";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
import { PlainTable } from "@stashlight/ui/plain-table";
import { useMemo } from "react";
import { formatMs } from "../../results/comparison.tsx";
import { phaseRows } from "./phase-rows.ts";

export function Phases({ samples }: { samples: readonly BenchmarkSample[] }) {
  const rows = useMemo(() => phaseRows(samples), [samples]);
  if (rows.length === 0) return null;
  return (
    <PlainTable label="Phases" headers={["Phase", "Median", "Maximum", "n"]} className="xl:col-span-2">
      {rows.map(({ name, explanation, n, medianMs, maxMs }) => (
        <tr key={name} className="h-8">
          <th scope="row" className="px-3 text-left font-normal">
            {name} <span className="text-faint">{explanation}</span>
          </th>
          <td className="px-3 text-right whitespace-nowrap">{formatMs(medianMs)}</td>
          <td className="px-3 text-right whitespace-nowrap">{formatMs(maxMs)}</td>
          <td className="px-3 text-right text-muted">{formatCount(n)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}
