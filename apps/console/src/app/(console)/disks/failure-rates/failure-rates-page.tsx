"use client";
import type { FailureRates } from "@stashlight/contracts/failure-rate";
import type { Role } from "@stashlight/contracts/user";
import { CodeBlock, Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { Disc3 } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { QueryError } from "../../query-state.tsx";
import { DiskTabs } from "../disk-tabs.tsx";
import { DriveRecordTable } from "./drive-record-table.tsx";
import { ModelTable } from "./model-table.tsx";

const refetchMs = 60_000;

/** Failure rates of drive models, from what others published or counted and from the fleet's own drives. */
export function FailureRatesPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const rates = useQuery(trpc.failureRate.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  return (
    <Page>
      <PageHeader
        title="Disks"
        description="How often drives of each model fail, from counts of another operator and of this fleet. Durability and plans use these rates; for drives of unknown model, durability adds the drives that its vault rebuilt."
        tabs={<DiskTabs />}
      />
      {rates.data === undefined && rates.isError && (
        <QueryError what="The failure rates" error={rates.error} onRetry={() => void rates.refetch()} />
      )}
      {rates.isPending && <Skeleton height={320} />}
      {rates.data !== undefined && (
        <>
          <Section
            title="How often do drives of a model fail?"
            description="Failures per drive-year with their 95 % interval. Another operator's counts weigh as much as at most ten failures of your own."
          >
            <ModelTable models={rates.data.models} />
          </Section>
          <Drives rates={rates.data} role={role} onMarked={rates.refetch} />
          <Imports rates={rates.data} />
        </>
      )}
    </Page>
  );
}

interface DrivesProps {
  readonly rates: FailureRates;
  readonly role: Role;
  readonly onMarked: () => Promise<unknown>;
}

function Drives({ rates: { drives, omittedDriveCount }, role, onMarked }: DrivesProps) {
  return (
    <Section
      title="Which HDDs does this fleet have?"
      description="Mark a drive that failed: it counts as a failure of its model. A drive that is only away, or that you retire while it works, does not."
    >
      {drives.length === 0 ? (
        <EmptyState icon={<Disc3 />} title="No drives recorded yet">
          HDDs are recorded once an hour, while their machines report a model or a serial number. Install
          smartmontools and run the agent as root where they do not.
        </EmptyState>
      ) : (
        <DriveRecordTable drives={drives} role={role} onMarked={onMarked} />
      )}
      {omittedDriveCount > 0 && (
        <p className="text-sm text-faint">
          {omittedDriveCount.toLocaleString("en")} more drives were seen more recently; this list has those
          last seen longest ago.
        </p>
      )}
    </Section>
  );
}

const command = "npm run stashlight -- drives import data_Q1_2026";

function Imports({ rates: { quarters } }: { rates: FailureRates }) {
  return (
    <Section
      title="Which counts were imported?"
      description="Backblaze publishes a file of all its drives for each day. The command sums the files of a quarter on your machine and stores the counts of each model here; a quarter that is imported again is replaced."
    >
      {quarters.length > 0 && (
        <ul className="flex flex-col gap-1">
          {quarters.map(({ quarter, source, dayCount, modelCount, driveDays, failures, ...by }) => (
            <li key={quarter}>
              {quarter}: {failures.toLocaleString("en")} failures in {driveDays.toLocaleString("en")} drive
              days of {modelCount} models, {dayCount} days{" "}
              <span className="text-sm text-faint">
                {source}, imported by {by.importedBy} <Time value={by.importedAt} show="age" />
              </span>
            </li>
          ))}
        </ul>
      )}
      <CodeBlock label="Import a quarter" code={command} />
    </Section>
  );
}
