import { type BenchmarkContamination, formatContamination } from "@stashlight/contracts/benchmark";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";

/** Lists contaminated runs and how the verdict treats them. */
export function Contamination({ contamination }: { contamination: BenchmarkContamination }) {
  const { worst, contaminatedCount } = contamination;
  const unnamedCount = contaminatedCount - worst.length;
  return (
    <Callout status="warning" title="Contaminated runs are left out of the verdict">
      <p>{formatContamination(contamination)}</p>
      <details className="mt-2">
        <summary>Show the contaminated runs</summary>
        <ul aria-label="Contaminated runs" className="mt-1 tabular-nums">
          {worst.map(({ endpointName, startedMs, taggedShare }) => (
            <li key={`${endpointName} ${startedMs}`}>
              <Time value={startedMs} /> {endpointName}: {Math.round(100 * taggedShare)} % disturbed
            </li>
          ))}
          {unnamedCount > 0 && <li>{unnamedCount} more with smaller shares</li>}
        </ul>
      </details>
    </Callout>
  );
}
