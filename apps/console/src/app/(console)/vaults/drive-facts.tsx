"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import type { Role } from "@stashlight/contracts/user";
import { formatBytes, formatCount } from "@stashlight/ui";
import { CopyableId, DefinitionList, Time } from "@stashlight/ui/data";
import { Callout, Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { Caveats } from "../charts/caveats.tsx";
import { PlaceMarks } from "../fleet-drives/place-marks.tsx";
import { QueryError } from "../query-state.tsx";
import { driveFactSelections, type DriveFacts as Facts, readDriveFacts } from "./drive-facts.ts";
import { DriveWear } from "./drive-wear.tsx";

/** Identity and health of a drive, as it reports them. */
export function DriveFacts({ node, device, role }: { node: NodeRow; device: string; role: Role }) {
  const { answers, error, retry } = useMetrics(
    driveFactSelections({ where: { device: [device] }, nodeIds: [node.id] }),
  );
  if (answers === undefined) {
    return (
      <Section title="Drive">
        {error === null ? (
          <Skeleton height={132} />
        ) : (
          <QueryError what="The drive's identity and health" error={error} onRetry={retry} />
        )}
      </Section>
    );
  }
  const facts = readDriveFacts(answers, node.isSimulated);
  const items = factItems(facts);
  const { newestMs } = describeOrigin(answers);
  return (
    <Section
      title="Drive"
      {...(newestMs === null
        ? {}
        : {
            actions: (
              <p className="text-sm text-faint">
                as the drive reports, <Time value={newestMs} show="age" />
              </p>
            ),
          })}
    >
      {items.length > 0 && (
        <div className="grid gap-x-8 rounded-md border border-line bg-surface px-4 py-1 lg:grid-cols-2">
          <DefinitionList items={items.slice(0, Math.ceil(items.length / 2))} />
          <DefinitionList
            items={items.slice(Math.ceil(items.length / 2))}
            className="border-line max-lg:border-t"
          />
        </div>
      )}
      {facts.sentences.map((sentence) => (
        <Callout key={sentence} className="py-1.5">
          {sentence}
        </Callout>
      ))}
      {facts.wearRatio !== null && <DriveWear node={node} device={device} facts={facts} />}
      {!node.isSimulated && <PlaceMarks nodeId={node.id} device={device} role={role} />}
      <Caveats origins={answers} />
    </Section>
  );
}

interface Item {
  readonly term: string;
  readonly value: ReactNode;
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

/** Known facts only; sentences explain the others. */
function factItems(facts: Facts): Item[] {
  const { model, serial, firmware, capacityBytes, isHealthy } = facts;
  const {
    wearRatio,
    wearSource,
    writeAmplification,
    spareRatio,
    badSectors,
    uncorrectedErrors,
    temperatureCelsius,
  } = facts;
  const items: (Item | null)[] = [
    model === null ? null : { term: "Model", value: model },
    serial === null
      ? null
      : { term: "Serial number", value: <CopyableId value={serial} label="serial number" /> },
    firmware === null ? null : { term: "Firmware", value: firmware },
    capacityBytes === null ? null : { term: "Size", value: formatBytes(capacityBytes) },
    isHealthy === null
      ? null
      : {
          term: "SMART health",
          value: (
            <StatusDot
              status={isHealthy ? "good" : "bad"}
              label={isHealthy ? "healthy" : "failure predicted"}
            />
          ),
        },
    wearRatio === null
      ? null
      : {
          term: "Wear",
          value: `${percent(wearRatio)} of its rated endurance${wearSource === null ? "" : `, from attribute ${wearSource}`}`,
        },
    writeAmplification === null
      ? null
      : {
          term: "Write amplification",
          value: `${Number(writeAmplification.toPrecision(3))} over its lifetime`,
        },
    spareRatio === null ? null : { term: "Spare blocks", value: `${percent(spareRatio)} left` },
    badSectors === null ? null : { term: "Bad sectors", value: formatCount(badSectors) },
    uncorrectedErrors === null ? null : { term: "Uncorrected errors", value: formatCount(uncorrectedErrors) },
    temperatureCelsius === null ? null : { term: "Temperature", value: `${temperatureCelsius} °C` },
  ];
  return items.filter((item) => item !== null);
}
