"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { type FsyncProbeRow, type FsyncProbes, fsyncProbePlan } from "@stashlight/contracts/probe";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatBytes, formatCount, MISSING } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { CodeBlock, Time } from "@stashlight/ui/data";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";

const BUSY_REFETCH_MS = 2_000;
const IDLE_REFETCH_MS = 30_000;

const isUnderWay = (probe: FsyncProbeRow | undefined): boolean =>
  probe?.state === "queued" || probe?.state === "running";

interface FsyncProbeProps {
  readonly node: NodeRow;
  readonly device: string;
  readonly role: Role;
}

/** Sync speed of the drive alone: one record and one sync after another, measured on its machine. */
export function FsyncProbe({ node, device, role }: FsyncProbeProps) {
  const trpc = useTRPC();
  const told = useQuery(
    trpc.fsyncProbe.list.queryOptions(
      { node: node.name, device },
      {
        refetchInterval: ({ state }) =>
          isUnderWay(state.data?.probes[0]) ? BUSY_REFETCH_MS : IDLE_REFETCH_MS,
      },
    ),
  );
  const actions = told.data && (
    <Ask node={node.name} device={device} role={role} told={told.data} onAsked={told.refetch} />
  );
  return (
    <Section
      title="How fast can it sync?"
      description="One record and one fdatasync after another, in a file that was written before. Plans use this figure."
      actions={actions}
    >
      {told.data === undefined ? (
        told.isError ? (
          <QueryError what="The measurement" error={told.error} onRetry={() => void told.refetch()} />
        ) : (
          <Skeleton height={120} />
        )
      ) : (
        <Told node={node.name} device={device} told={told.data} />
      )}
    </Section>
  );
}

const sizes = fsyncProbePlan.recordBytes.map((bytes) => formatBytes(bytes, "IEC")).join(" and ");
const consequence = `A file of ${formatBytes(fsyncProbePlan.fileBytes)} is written to the drive, and for ${fsyncProbePlan.secondsEach} s each, records of ${sizes} are written and synced as fast as possible. Uploads that wait for this drive take longer meanwhile. The file is removed at the end.`;

interface AskProps {
  readonly node: string;
  readonly device: string;
  readonly role: Role;
  readonly told: FsyncProbes;
  readonly onAsked: () => Promise<unknown>;
}

function Ask({ node, device, role, told, onAsked }: AskProps) {
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  const request = useMutation(trpc.fsyncProbe.request.mutationOptions());
  const mayRun = roleIncludes(role, "operator");
  return (
    <>
      {!mayRun && <span className="text-sm text-faint">You need the operator role to measure a drive.</span>}
      <Button
        icon={<Gauge aria-hidden="true" />}
        disabled={!mayRun || told.servedBy.length === 0}
        pending={isUnderWay(told.probes[0])}
        onClick={() => setAsking(true)}
      >
        Run fsync probe
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Measure ${device} of ${node}?`}
        consequence={consequence}
        confirmLabel="Run fsync probe"
        danger={false}
        describeError={describeError}
        onConfirm={async () => {
          await request.mutateAsync({ node, device });
          await onAsked();
        }}
      />
    </>
  );
}

function Told({ node, device, told }: { node: string; device: string; told: FsyncProbes }) {
  const { servedBy, probes } = told;
  const [newest] = probes;
  const measured = probes.find(({ state }) => state === "succeeded");
  return (
    <div className="flex flex-col gap-3">
      <div aria-live="polite" className="contents">
        {newest !== undefined && newest !== measured && <Standing probe={newest} />}
      </div>
      {measured?.result && <Figures probe={measured} />}
      {probes.length === 0 && servedBy.length > 0 && (
        <p className="text-muted">Not measured yet. The probe {servedBy.join(", ")} can measure it.</p>
      )}
      {servedBy.length === 0 && <HowToServe node={node} device={device} />}
    </div>
  );
}

function Standing({ probe: { state, probe, requestedBy, requestedAt, sentence } }: { probe: FsyncProbeRow }) {
  const words = {
    queued: `Waiting for the probe ${probe}`,
    running: `The probe ${probe} is measuring`,
    failed: sentence ?? "The measurement failed",
    succeeded: "Measured",
  };
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <StatusDot status={state === "failed" ? "bad" : "info"} label={words[state]} />
      <span className="text-sm text-faint">
        requested by {requestedBy}, <Time value={requestedAt} show="age" />
      </span>
    </p>
  );
}

function Figures({ probe }: { probe: FsyncProbeRow }) {
  const { result, endedAt, probe: name } = probe;
  if (result === null) return null;
  const tool = result.tool === "fio" ? result.toolVersion : `Stashlight's own writer ${result.toolVersion}`;
  return (
    <>
      <div className="overflow-x-auto rounded-md border border-line bg-surface">
        <table className="w-full tabular-nums">
          <caption className="sr-only">What the fsync probe measured</caption>
          <thead>
            <tr className="text-muted">
              {["Record", "Syncs per second", "Sync, p50", "Sync, p99", "n"].map((header, i) => (
                <th
                  key={header}
                  scope="col"
                  className={`h-8 px-3 font-medium whitespace-nowrap ${i === 0 ? "text-left" : "text-right"}`}
                >
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.figures.map(({ recordBytes, syncsPerSecond, p50Us, p99Us, n }) => (
              <tr key={recordBytes} className="border-t border-line text-right text-ink">
                <td className="h-8 px-3 text-left whitespace-nowrap">{formatBytes(recordBytes, "IEC")}</td>
                <td className="px-3">{formatCount(syncsPerSecond)}</td>
                <td className="px-3 whitespace-nowrap">{formatMicroseconds(p50Us)}</td>
                <td className="px-3 whitespace-nowrap">{formatMicroseconds(p99Us)}</td>
                <td className="px-3">{formatCount(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-sm text-faint">
        {tool} · {result.blockDevice ?? "a device that the kernel does not name"} · probe {name}
        {endedAt !== null && (
          <>
            {" · "}
            <Time value={endedAt} show="age" />
          </>
        )}
      </p>
    </>
  );
}

function formatMicroseconds(us: number | null): string {
  if (us === null) return MISSING;
  const { value, unit } = formatQuantity("seconds", us / 1e6);
  return `${value} ${unit}`;
}

function HowToServe({ node, device }: { node: string; device: string }) {
  return (
    <div className="flex max-w-[80ch] flex-col gap-2 text-muted">
      <p>
        No probe writes to this drive. Enrol one on the drive's machine under Manage, Nodes, and start it with{" "}
        <code>--drives drives.json</code>; the file names any folder on the drive:
      </p>
      <CodeBlock
        label="drives.json"
        code={`[{ "node": "${node}", "device": "${device}", "folder": "/path/on/the/drive" }]`}
      />
    </div>
  );
}
