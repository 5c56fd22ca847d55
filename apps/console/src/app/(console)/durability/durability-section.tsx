"use client";
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useSilences } from "../charts/use-vault-state.ts";
import { FigureTable } from "../planner/figure-table.tsx";
import { QueryError } from "../query-state.tsx";
import { DurabilityCallout } from "./durability-callout.tsx";
import { useDurability } from "./use-durability.ts";

const TITLE = "Durability now";
/** Height of the sentence and the line below it on a wide page. */
const PLACE_PX = 92;

/** Current durability of a vault's data, with the figures and assumptions behind it. */
export function DurabilitySection({ vault }: { vault: string }) {
  const { data, error, refetch } = useDurability();
  const durability = data?.find((each) => each.vault === vault);
  const silence = useSilences()?.find((each) => each.vault === vault) ?? null;
  if (data !== undefined && durability === undefined) return null;
  return (
    <Section title={TITLE}>
      {durability === undefined && error === null && <Skeleton width="100%" height={PLACE_PX} />}
      {durability === undefined && error !== null && (
        <QueryError what={TITLE} error={error} onRetry={() => void refetch()} />
      )}
      {durability !== undefined && (
        <div className="min-h-23">
          <DurabilityCallout durability={durability} silence={silence} />
          {durability.figures.length > 0 && <Behind durability={durability} />}
        </div>
      )}
    </Section>
  );
}

const counted = new Intl.NumberFormat("en");

const ageInWords = (seconds: number | null): string =>
  seconds === null ? "–" : seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

function Behind({ durability: { figures, assumptions } }: { durability: VaultDurability }) {
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-muted">Figures and assumptions behind it</summary>
      <div className="mt-2 flex flex-col gap-3">
        <FigureTable
          label="Figures behind the durability"
          columns={["Figure", "Value", "n", "Age", "Source"]}
          rows={figures.map(({ name, value, count, ageSeconds, source }) => ({
            name,
            cells: [
              <span key="value" className="whitespace-nowrap">
                {value}
              </span>,
              count === null ? "–" : counted.format(count),
              ageInWords(ageSeconds),
              <span key="source" className="inline-block min-w-64">
                {source}
              </span>,
            ],
          }))}
          endsInWords
        />
        <div>
          <p className="font-medium">Assumptions, the most influential first</p>
          <ol className="list-decimal pl-5 text-muted">
            {assumptions.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ol>
        </div>
      </div>
    </details>
  );
}
