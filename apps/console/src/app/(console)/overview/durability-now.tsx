"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import Link from "next/link";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useSilences } from "../charts/use-vault-state.ts";
import { DurabilityCallout } from "../durability/durability-callout.tsx";
import { durabilityStatus } from "../durability/durability-status.ts";
import { useDurability } from "../durability/use-durability.ts";
import { QueryError } from "../query-state.tsx";

const TITLE = "Durability now";
/** Shows the worst vaults; every other vault has its own page. */
const SHOWN_MAX = 4;
const order = ["bad", "warning", "unknown", "good"];

/** Current durability of the vaults in scope, worst first. */
export function DurabilityNow() {
  const { data, error, refetch } = useDurability();
  const { asked } = useScope();
  const silences = useSilences() ?? [];
  const silenceOf = (name: string) => silences.find(({ vault }) => vault === name) ?? null;
  if (data === undefined) {
    return (
      <Section title={TITLE}>
        {error === null ? (
          <Skeleton width="100%" height={92} />
        ) : (
          <QueryError what={TITLE} error={error} onRetry={() => void refetch()} />
        )}
      </Section>
    );
  }
  const scoped = data.filter(({ vault }) => asked?.includes(vault) ?? true);
  const sorted = scoped.toSorted(
    (a, b) =>
      order.indexOf(durabilityStatus(a, silenceOf(a.vault))) -
        order.indexOf(durabilityStatus(b, silenceOf(b.vault))) ||
      (a.nines?.value ?? 0) - (b.nines?.value ?? 0),
  );
  if (sorted.length === 0) return null;
  return (
    <Section title={TITLE}>
      <ul className="flex min-h-23 flex-col gap-2">
        {sorted.slice(0, SHOWN_MAX).map((durability) => (
          <li key={durability.vault}>
            <DurabilityCallout
              durability={durability}
              silence={silenceOf(durability.vault)}
              name={
                <Link
                  className="underline underline-offset-2"
                  href={`/vaults?${new URLSearchParams({ vault: durability.vault })}`}
                >
                  {durability.vault}
                </Link>
              }
            />
          </li>
        ))}
      </ul>
      {sorted.length > SHOWN_MAX && (
        <p className="text-muted">{sorted.length - SHOWN_MAX} more vaults are no worse than these.</p>
      )}
    </Section>
  );
}
