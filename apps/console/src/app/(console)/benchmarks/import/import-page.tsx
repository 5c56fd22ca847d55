"use client";
import type { BenchmarkRunRow, ImportedBenchmarkRun } from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatCount } from "@stashlight/ui";
import { numberColumn, timeColumn } from "@stashlight/ui/columns";
import { Callout, EmptyState, ProgressBar } from "@stashlight/ui/feedback";
import { Button, Field, FormError, LinkButton, TextInput } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, FileUp, Trash2, Upload } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { UrlTable } from "../../../../client/url-table.tsx";
import { QueryError } from "../../query-state.tsx";
import { type ShownProgress, shownProgress } from "./progress.ts";
import { type UploadProgress, uploadFile } from "./upload.ts";

export function ImportPage({ role }: { role: Role }) {
  const mayImport = roleIncludes(role, "operator");
  return (
    <Page>
      <PageHeader
        title="Import benchmarks"
        description="Results of warp, k6, fio, iozone and PerfKitBenchmarker, and runs exported from Stashlight. A file with an invalid line is refused as a whole."
      />
      {mayImport ? (
        <ImportForm />
      ) : (
        <Callout status="info" title="You need the operator role to import a file">
          You can view the runs that others imported.
        </Callout>
      )}
      <ImportedRuns mayDelete={mayImport} />
      <div>
        <LinkButton href="/benchmarks" variant="quiet" icon={<ChevronLeft aria-hidden="true" />}>
          All schedules
        </LinkButton>
      </div>
    </Page>
  );
}

type UploadState =
  | { state: "idle" }
  | { state: "running"; shown: ShownProgress }
  | { state: "failed"; message: string }
  | { state: "done"; imported: ImportedBenchmarkRun };

function ImportForm() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [endpointName, setEndpointName] = useState("");
  const [upload, setUpload] = useState<UploadState>({ state: "idle" });
  const cancel = useRef<AbortController | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (file === null) {
      setUpload({ state: "failed", message: "Choose a file." });
      return;
    }
    cancel.current = new AbortController();
    let stage: { name: UploadProgress["stage"]; sinceMs: number } | null = null;
    const show = (progress: UploadProgress) => {
      const nowMs = performance.now();
      if (stage?.name !== progress.stage) stage = { name: progress.stage, sinceMs: nowMs };
      setUpload({ state: "running", shown: shownProgress(progress, nowMs - stage.sinceMs) });
    };
    show({ stage: "sending", sentShare: 0 });
    try {
      const imported = await uploadFile({
        file,
        endpointName,
        signal: cancel.current.signal,
        onProgress: show,
      });
      setUpload({ state: "done", imported });
      await client.invalidateQueries(trpc.benchmarkResult.listImported.queryFilter());
    } catch (error) {
      setUpload({ state: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Section title="Results of another tool" card>
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="File"
          hint="At most 32 MiB, or 250 MB when decompressed. It may be compressed with zstd or gzip."
        >
          <TextInput type="file" onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
        </Field>
        <Field label="Endpoint" hint="Name of what was measured. Leave empty to use the name in the file.">
          <TextInput value={endpointName} onChange={(event) => setEndpointName(event.target.value)} />
        </Field>
        {upload.state === "failed" && <FormError>{upload.message}</FormError>}
        {upload.state === "running" && (
          <ProgressBar label="Import" value={upload.shown.share} detail={upload.shown.detail} />
        )}
        {upload.state === "done" && <Done imported={upload.imported} />}
        <div className="flex gap-3">
          <Button
            variant="primary"
            type="submit"
            pending={upload.state === "running"}
            icon={<Upload aria-hidden="true" />}
          >
            Import
          </Button>
          {upload.state === "running" && (
            <Button variant="secondary" onClick={() => cancel.current?.abort()}>
              Cancel
            </Button>
          )}
        </div>
      </form>
    </Section>
  );
}

function Done({ imported }: { imported: ImportedBenchmarkRun }) {
  const { runId, name, tool, sampleCount, summaryCount, notes } = imported;
  return (
    <Callout status="good" title={`Imported “${name}”`}>
      {formatCount(sampleCount)} samples and {formatCount(summaryCount)} figures of {tool}. {notes.join(" ")}{" "}
      <a className="underline" href={`/benchmarks/runs/${runId}`}>
        View run
      </a>
    </Callout>
  );
}

const columns: Column<BenchmarkRunRow>[] = [
  { id: "name", header: "Endpoint", hideable: false, value: ({ endpointName }) => endpointName },
  numberColumn("samples", "Samples", ({ sampleCount }) => sampleCount, {
    cell: ({ sampleCount }) => formatCount(sampleCount),
  }),
  numberColumn("failed", "Failed", ({ failureCount }) => failureCount),
  timeColumn("measured", "Measured", ({ startedAt }) => startedAt, {}, { filterable: false }),
];
const tableOptions = { columns, defaultSort: { id: "measured", direction: "desc" } } as const;
const none: BenchmarkRunRow[] = [];

function ImportedRuns({ mayDelete }: { mayDelete: boolean }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const runs = useQuery(trpc.benchmarkResult.listImported.queryOptions());
  const remove = useMutation(
    trpc.benchmarkResult.deleteImported.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.benchmarkResult.listImported.queryFilter()),
    }),
  );
  return (
    <Section title="Imported runs">
      <UrlTable
        label="Imported runs"
        rows={runs.data ?? none}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/benchmarks/runs/${id}`}
        table={tableOptions}
        status={runs.data !== undefined ? "ready" : runs.isError ? "error" : "loading"}
        error={<QueryError what="The imported runs" error={runs.error} onRetry={() => void runs.refetch()} />}
        empty={
          <EmptyState icon={<FileUp />} title="No imported runs">
            Runs of other tools are listed here, with the same figures as those of schedules.
          </EmptyState>
        }
        exportName="imported-runs"
        skeletonRowCount={3}
        {...(mayDelete
          ? {
              rowActions: ({ id, endpointName }: BenchmarkRunRow) => (
                <Button
                  size="sm"
                  variant="quiet"
                  aria-label={`Delete ${endpointName}`}
                  title="Delete; the file can be imported again"
                  icon={<Trash2 aria-hidden="true" />}
                  onClick={() => remove.mutate({ runId: id })}
                />
              ),
            }
          : {})}
      />
    </Section>
  );
}
