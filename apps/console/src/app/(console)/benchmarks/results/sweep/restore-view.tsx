import type { BenchmarkRestoreTime } from "@stashlight/contracts/benchmark";
import { formatCount } from "@stashlight/ui";
import { FigurePanel, prepareIntervals } from "@stashlight/ui/figure";
import { endpointLine } from "../tones.ts";

/** Sentences to quote, and their data as a chart. */
export function RestoreView({ times }: { times: readonly BenchmarkRestoreTime[] }) {
  const rows = times.flatMap(({ endpoint, seconds }, place) =>
    seconds === null
      ? []
      : [
          {
            label: endpoint.name,
            seconds: seconds.value,
            lowSeconds: seconds.low,
            highSeconds: seconds.high,
            tone: endpointLine(endpoint, place).tone,
          },
        ],
  );
  const sampleCount = times.reduce((sum, each) => sum + each.sampleCount, 0);
  const labels = times.map(({ endpoint }) => endpoint.label).filter((label) => label !== "measured");
  if (times.length === 0) {
    return <p className="text-muted">No downloads of this size in this time range; choose a longer one.</p>;
  }
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <ul className="flex flex-col gap-2 text-pretty">
        {times.map(({ endpoint, sentence }) => (
          <li key={endpoint.id}>{sentence}</li>
        ))}
      </ul>
      <FigurePanel
        title="Restore time"
        metric="estimated from measured downloads, with a 95 % bootstrap interval; for more connections than were measured, a bound from the measured throughput, without an interval"
        figure={prepareIntervals(rows, "restore time", "s")}
        source={`${formatCount(sampleCount)} downloads`}
        caveats={[
          ...new Set([...labels, ...(times.some((each) => each.isExtrapolated) ? ["extrapolated"] : [])]),
        ]}
        exportName="restore-time"
        heightPx={60 + 44 * rows.length}
      />
    </div>
  );
}
