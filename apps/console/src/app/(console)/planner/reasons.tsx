"use client";
import {
  type AckTail,
  type CrossCheck,
  formatDrives,
  formatFigure,
  formatPlanBytes,
  formatShare,
  formatStop,
  type PoolVerdict,
  type UploadAvailability,
} from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";

export function NotSurvivedList({ verdict }: { verdict: PoolVerdict }) {
  const { notSurvived, stability } = verdict;
  const sentences =
    stability === null ? notSurvived.sentences : [...notSurvived.sentences, stability.sentence];
  return (
    <ul className="flex max-w-[90ch] list-disc flex-col gap-1.5 pl-4">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Shows the peak load of each machine's ports, busiest first. */
export function Ports({ verdict: { pool, network } }: { verdict: PoolVerdict }) {
  return (
    <Section title={`How busy are the ports with the ${pool.basis} pool?`} description={network.sentence}>
      <FigureTable
        label={`Ports with the ${pool.basis} pool`}
        columns={["Ports of", "Machines", "Each, Gbit/s", "At the peak", "Busy"]}
        rows={network.ports.map(({ of, machines, bitsPerSecond, peakBytesPerSecond, utilisation }) => ({
          name: of,
          cells: [
            formatFigure(machines),
            formatFigure(bitsPerSecond / 1e9),
            `${formatPlanBytes(peakBytesPerSecond)}/s`,
            formatShare(utilisation),
          ],
          isMarked: of === network.firstTooSmall?.of,
        }))}
      />
    </Section>
  );
}

/** Shows how long uploads stop in a year, by the number of pods per machine. */
export function Availability({ availability: { layouts, sentence } }: { availability: UploadAvailability }) {
  return (
    <Section title="How long do uploads stop?" description={sentence}>
      <FigureTable
        label="Time without uploads in a year"
        columns={["Pods per machine", "Machines", "Planned restarts", "Failures", "Together"]}
        rows={layouts.map((layout) => ({
          name: `${formatFigure(layout.podsOnEach)}${layout.isPlanned ? ", planned" : ""}`,
          cells: [
            formatFigure(layout.machines),
            formatStop(layout.plannedSeconds),
            formatStop(layout.failureSeconds),
            formatStop(layout.stoppedSeconds),
          ],
          isMarked: layout.isPlanned,
        }))}
      />
    </Section>
  );
}

/**
 * Compares the plan with other vendors' sizing rules, and explains why the rule for caches does not apply to a journal.
 */
export function CrossChecks({ checks, required }: { checks: readonly CrossCheck[]; required: number }) {
  return (
    <Section
      title="Comparison with other sizing rules"
      description={`The plan holds ${formatPlanBytes(required)}: a rate times a time, as journals are sized.`}
    >
      <FigureTable
        label="Other sizing rules"
        endsInWords
        columns={["Rule", "Requires", "Drives", "Explanation"]}
        rows={checks.map(({ name, rule, bytes, drives, sentence, applies, source }) => ({
          name: `${name}: ${rule}`,
          cells: [
            formatPlanBytes(bytes),
            formatDrives(drives),
            <span key="says" title={source} className="block max-w-[60ch] min-w-56">
              {applies ? "" : "Not a rule for sizing a stash. "}
              {sentence}
            </span>,
          ],
        }))}
      />
    </Section>
  );
}

const percentile = (share: number): string => `p${Number((share * 100).toFixed(2))}`;

export function Tail({ tail }: { tail: AckTail }) {
  return (
    <Section
      title="How slow may one node be?"
      description={`An upload waits for ${tail.quorum} of ${tail.nodes} nodes, so a percentile of uploads needs a higher percentile of each node.`}
    >
      <FigureTable
        label="Percentiles of uploads and nodes"
        columns={["Uploads", "Each node, one set", "Each node, pods and stash"]}
        rows={tail.percentiles.map(({ ack, nodeOfOneSet, nodeOfTwoSets }) => ({
          name: percentile(ack),
          cells: [percentile(nodeOfOneSet), percentile(nodeOfTwoSets)],
        }))}
      />
    </Section>
  );
}
