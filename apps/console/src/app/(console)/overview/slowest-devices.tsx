"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { formatCount, UiLink } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { driveRows, driveSelection, statisticWord } from "../../../client/metrics/devices.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { inVault } from "../../../client/metrics/scope.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { Caveats } from "../charts/caveats.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";

const LENGTH = 5;
/** Too few syncs for the statistic that all rows have. */
const missing = { value: "–", unit: "" };
const ROW_PX = 32;
const tiers = [
  { tier: "stash", title: "Slowest SSDs" },
  { tier: "pod", title: "Slowest HDDs" },
] as const;

/** The five slowest drives of each kind; an HDD is slower than any SSD, so they are not ranked together. */
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
  const { answers, error, retry } = useMetrics([driveSelection(tiersAlike[tier], false)]);
  const drives = answers?.[0] === undefined ? null : driveRows(answers[0]);
  const rows = drives?.rows.slice(0, LENGTH) ?? null;
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
          {rows.map(({ vault, node, device, seconds, n }) => {
            const { value, unit } = seconds === null ? missing : formatQuantity("seconds", seconds);
            return (
              <li
                key={`${node} ${device}`}
                className="flex h-8 items-center gap-3 border-t border-line px-3 first:border-t-0"
              >
                <UiLink
                  href={deviceHref(search, node, device)}
                  className="min-w-0 truncate font-mono text-sm"
                >
                  {inVault(device, vault, isSeveral)} <span className="text-faint">{node}</span>
                </UiLink>
                <span className="ml-auto text-ink tabular-nums">
                  {value} {unit}
                </span>
                <span className="w-32 text-right text-sm text-faint tabular-nums">
                  {word} · n {formatCount(n)}
                </span>
              </li>
            );
          })}
        </ol>
      )}
      <Caveats origins={answers} />
    </Section>
  );
}
