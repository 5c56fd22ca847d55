"use client";
import { formatCount } from "@stashlight/ui";
import { Section } from "@stashlight/ui/layout";
import { PlainTable } from "@stashlight/ui/plain-table";
import { formatMs } from "../../results/comparison.tsx";

interface ImportedSummary {
  label: string;
  operation: string;
  operationCount?: number;
  meanMs?: number;
  bytesPerSecond?: number;
  operationsPerSecond?: number;
  isApproximate: boolean;
}
interface ImportedFile {
  tool: string;
  fileName: string;
  notes: string[];
  summaries: ImportedSummary[];
}

const ROWS_MAX = 200;
const headers = ["Figure", "Operations", "Mean", "Operations/s", "MB/s"];

/** Figures that a tool computed for a file without samples, and what the file lacks. */
export function Imported({ manifest }: { manifest: Record<string, unknown> | null }) {
  const file = manifest?.imported as ImportedFile | undefined;
  if (file === undefined) return null;
  return (
    <Section title={`Figures in ${file.fileName}`} description={`Measured by ${file.tool}.`}>
      {file.notes.length > 0 && (
        <ul className="list-disc pl-5 text-muted">
          {file.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {file.summaries.length > 0 && (
        <PlainTable label="The tool's own figures" headers={headers}>
          {file.summaries.slice(0, ROWS_MAX).map((summary) => (
            <SummaryRow key={`${summary.label} ${summary.operation}`} summary={summary} />
          ))}
        </PlainTable>
      )}
    </Section>
  );
}

function SummaryRow({ summary }: { summary: ImportedSummary }) {
  const { label, operation, operationCount, meanMs, operationsPerSecond, bytesPerSecond } = summary;
  const cells = [
    operationCount === undefined ? "–" : formatCount(operationCount),
    meanMs === undefined ? "–" : formatMs(meanMs),
    operationsPerSecond === undefined ? "–" : Number(operationsPerSecond.toPrecision(4)),
    bytesPerSecond === undefined ? "–" : Number((bytesPerSecond / 1e6).toPrecision(4)),
  ];
  return (
    <tr className="h-8">
      <th scope="row" className="px-3 text-left font-normal">
        {label} <span className="text-faint">{operation}</span>
        {summary.isApproximate && <span className="text-warning"> · approximate</span>}
      </th>
      {cells.map((cell, i) => (
        <td key={headers[i + 1]} className="px-3 text-right whitespace-nowrap">
          {cell}
        </td>
      ))}
    </tr>
  );
}
