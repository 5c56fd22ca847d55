"use client";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { formatCount } from "@stashlight/ui";
import { useMemo } from "react";
import { formatMs } from "../../results/comparison.tsx";
import { phaseRows } from "./phase-rows.ts";

export function Phases({ samples }: { samples: readonly BenchmarkSample[] }) {
  const rows = useMemo(() => phaseRows(samples), [samples]);
  if (rows.length === 0) return null;
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-surface xl:col-span-2">
      <table aria-label="Phases" className="w-full tabular-nums">
        <thead>
          <tr className="text-left text-muted">
            {["Phase", "Median", "Maximum", "n"].map((header, i) => (
              <th key={header} scope="col" className={`px-3 py-1.5 font-medium ${i > 0 ? "text-right" : ""}`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
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
        </tbody>
      </table>
    </div>
  );
}
