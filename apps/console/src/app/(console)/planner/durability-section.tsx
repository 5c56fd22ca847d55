"use client";
import {
  causeShareInWords,
  changeInWords,
  type Durability,
  type DurabilityAnswer,
  ninesInWords,
  ninesWithInterval,
} from "@stashlight/planner";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { durabilityFigure } from "./durability-chart.ts";
import { FigureTable } from "./figure-table.tsx";

interface DurabilityProps {
  readonly durability: Durability;
}

/** Nines of a stored object, their causes, and the nines of other schemes and drives. */
export function DurabilitySection({ answer: { durability, unknown } }: { answer: DurabilityAnswer }) {
  if (durability === null) {
    return (
      <Section title="How many nines?" card>
        <p>{unknown}</p>
      </Section>
    );
  }
  return <KnownDurability durability={durability} />;
}

function KnownDurability({ durability }: DurabilityProps) {
  const [first = "", ...rest] = durability.sentences;
  const figure = useMemo(() => durabilityFigure(durability), [durability]);
  return (
    <>
      <Section title="How many nines?" description="Modelled from the inputs under Durability and Risk.">
        <Callout status={durability.meetsTarget ? "good" : "warning"} title={first}>
          <ul className="flex list-disc flex-col gap-1 pl-4">
            {rest.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Callout>
      </Section>
      <div className="grid items-start gap-4 xl:grid-cols-2 print:grid-cols-2">
        <div className="flex flex-col gap-4">
          <FigurePanel
            title="What do larger drives cost?"
            metric="nines a year of a stored object, all causes, by the size of the HDDs"
            figure={figure}
            source="Modelled; the dashed line is the target."
            exportName="durability"
            heightPx={340}
          />
          <Quarantine durability={durability} />
        </div>
        <div className="flex flex-col gap-4">
          <Models durability={durability} />
          <Causes durability={durability} />
        </div>
      </div>
      <Schemes durability={durability} />
    </>
  );
}

const Quarantine = ({ durability: { quarantine } }: DurabilityProps) => (
  <Section title="What does a quarantine cost?" card>
    <ul className="flex list-disc flex-col gap-1 pl-4">
      {quarantine.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </Section>
);

const Models = ({ durability: { window, chain, all } }: DurabilityProps) => (
  <FigureTable
    label="Nines by model"
    columns={["Model", "Nines a year"]}
    rows={[
      { name: "Published formula, independent failures", cells: [ninesWithInterval(window)] },
      { name: "Exact chain, independent failures", cells: [ninesWithInterval(chain)] },
      { name: "Exact chain, all causes", cells: [ninesWithInterval(all)], isMarked: true },
    ]}
  />
);

const Causes = ({ durability: { causes, sensitivities } }: DurabilityProps) => (
  <>
    <FigureTable
      label="Share of the risk"
      columns={["Cause", "Share of the risk"]}
      rows={causes.map((cause) => ({ name: cause.cause, cells: [causeShareInWords(cause)] }))}
    />
    <FigureTable
      label="What adds nines"
      columns={["Change", "Nines"]}
      rows={sensitivities.map(({ label, nines }) => ({ name: label, cells: [changeInWords(nines)] }))}
    />
  </>
);

const Schemes = ({ durability: { schemes } }: DurabilityProps) => (
  <Section
    title="Which scheme?"
    description="The same drives, rebuilds and causes; raw bytes and traffic are what more nines cost."
  >
    <FigureTable
      label="Schemes"
      columns={[
        "Scheme",
        "Raw bytes per stored byte",
        "Bytes read per rebuilt byte",
        "Shards an upload writes",
        "Published",
        "Chain",
        "All causes",
      ]}
      rows={schemes.map((scheme) => ({
        name: `${scheme.dataShards}+${scheme.parityShards}`,
        cells: [
          scheme.rawRatio.toFixed(2),
          scheme.repairReadRatio,
          scheme.writeFanOut,
          ninesInWords(scheme.windowNines),
          ninesInWords(scheme.chainNines),
          ninesInWords(scheme.allNines),
        ],
        isMarked: scheme.isPlanned,
      }))}
    />
  </Section>
);
