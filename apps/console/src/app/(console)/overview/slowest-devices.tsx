"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { formatCount, UiLink } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { type DriveRow, driveRows, driveSelection, statisticWord } from "../../../client/metrics/devices.ts";
import {
  type AlikeDrives,
  foldAlikeDrives,
  machineSelection,
  machinesByNode,
} from "../../../client/metrics/machines.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { inVault } from "../../../client/metrics/scope.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { Caveats } from "../charts/caveats.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";

const LENGTH = 5;
/** Shown for a drive with too few syncs for the statistic of all rows. */
const missing = { value: "–", unit: "" };
const ROW_PX = 32;
const tiers = [
  { tier: "stash", title: "Slowest SSDs" },
  { tier: "pod", title: "Slowest HDDs" },
] as const;

/**
 * Lists the five slowest drives of each kind; drives that one machine slows alike count as one. HDDs and SSDs are
 * ranked separately, because every HDD is slower than any SSD.
 */
export function SlowestDevices() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {tiers.map(({ tier, title }) => (
        <Slowest key={tier} tier={tier} title={title} />
      ))}
    </div>
  );
}

function Slowest({ tier, title }: { tier: "stash" | "pod"; title: string }) {
  const { search } = usePageTime();
  const { isSeveral } = useScope();
  const { answers, error, retry } = useMetrics([driveSelection(tiersAlike[tier], false), machineSelection]);
  const drives = answers?.[0] === undefined ? null : driveRows(answers[0]);
  const folded = drives === null ? null : foldAlikeDrives(drives.rows, machinesByNode(answers?.[1]));
  const rows = folded?.slice(0, LENGTH) ?? null;
  const word = statisticWord(drives?.statistic ?? "p99");
  return (
    <Section title={title}>
      {rows === null && error === null && <Skeleton height={LENGTH * ROW_PX} />}
      {rows === null && error !== null && <QueryError what="The drives" error={error} onRetry={retry} />}
      {rows !== null && (
        <ol
          className="overflow-hidden rounded-md border border-line bg-surface"
          style={{ minHeight: LENGTH * ROW_PX }}
        >
          {rows.length === 0 && (
            <li className="px-3 py-2 text-muted">No drive has synced in this time range.</li>
          )}
          {rows.map((alike) => (
            <SlowDrive
              key={`${alike.slowest.node} ${alike.slowest.device}`}
              alike={alike}
              word={word}
              search={search}
              isSeveral={isSeveral}
            />
          ))}
        </ol>
      )}
      <Caveats origins={answers?.slice(0, 1)} />
    </Section>
  );
}

interface SlowDriveProps {
  readonly alike: AlikeDrives<DriveRow>;
  readonly word: string;
  readonly search: string;
  readonly isSeveral: boolean;
}

function SlowDrive({ alike, word, search, isSeveral }: SlowDriveProps) {
  const { machine, others, slowest } = alike;
  const { vault, node, device, seconds, n } = slowest;
  const { value, unit } = seconds === null ? missing : formatQuantity("seconds", seconds);
  return (
    <li className="flex h-8 items-center gap-3 border-t border-line px-3 first:border-t-0">
      <UiLink href={deviceHref(search, node, device)} className="min-w-0 truncate font-mono text-sm">
        {inVault(device, vault, isSeveral)} <span className="text-faint">{node}</span>
      </UiLink>
      {others.length > 0 && (
        <UiLink
          href={`/fsync${search}`}
          className="min-w-0 shrink-0 text-sm text-muted"
          title={`As slow, on the same machine ${machine}: ${others.map((other) => other.device).join(", ")}`}
        >
          <span className="sm:hidden">+{formatCount(others.length)}</span>
          <span className="max-sm:hidden">and {formatCount(others.length)} more on its machine</span>
        </UiLink>
      )}
      <span className="ml-auto whitespace-nowrap text-ink tabular-nums">
        {value} {unit}
      </span>
      <span className="w-32 whitespace-nowrap text-right text-sm text-faint tabular-nums max-sm:w-auto">
        {word} · n {formatCount(n)}
      </span>
    </li>
  );
}
