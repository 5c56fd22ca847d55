"use client";
import type { BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark/result";
import { formatSize } from "@stashlight/contracts/benchmark/sizes";
import { type BenchmarkRestoreTime, benchmarkRestoreInput } from "@stashlight/contracts/benchmark/sweep";
import { Skeleton } from "@stashlight/ui/feedback";
import { Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsInteger, useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { QueryError } from "../../../query-state.tsx";
import { RestoreView } from "./restore-view.tsx";

const connectionCounts = ["1", "2", "4", "8", "16", "32", "64"];
const parsers = {
  objects: parseAsInteger.withDefault(100),
  objectBytes: parseAsInteger,
  connections: parseAsInteger.withDefault(1),
};

interface RestoreSectionProps {
  planId: string;
  subjects: readonly BenchmarkSubjectChoice[];
  period: { fromMs: number; toMs: number };
}

/** What a restore would take; the page's address keeps what is restored. Null where the plan downloads nothing. */
export function useRestoreChoice({ planId, subjects, period }: RestoreSectionProps) {
  const [{ objects, objectBytes, connections }, set] = useQueryStates(parsers, { history: "replace" });
  const sizes = [
    ...new Set(subjects.filter(({ operation }) => operation === "GET").map(({ sizeBytes }) => sizeBytes)),
  ].sort((a, b) => a - b);
  const size = sizes.find((each) => each === objectBytes) ?? sizes.at(-1);
  const question = benchmarkRestoreInput.safeParse({
    planId,
    ...period,
    objectBytes: size,
    objectCount: objects,
    connectionCount: connections,
  });
  return size === undefined
    ? null
    : { sizes, size, objects, connections, set, question: question.data ?? null };
}
export type RestoreChoice = NonNullable<ReturnType<typeof useRestoreChoice>>;

export function RestoreSection({ choice }: { choice: RestoreChoice }) {
  const trpc = useTRPC();
  const { question } = choice;
  const times = useQuery({
    ...trpc.benchmarkResult.restoreTime.queryOptions(
      question ?? { planId: "", fromMs: 0, toMs: 1, objectBytes: 1, objectCount: 1, connectionCount: 1 },
      { placeholderData: keepPreviousData },
    ),
    enabled: question !== null,
  });
  return (
    <Section title="How long does a restore take?">
      <RestoreChooser choice={choice} />
      {times.isError && (
        <QueryError what="The restore time" error={times.error} onRetry={() => void times.refetch()} />
      )}
      {times.isPending && <Skeleton height={160} />}
      {times.data !== undefined && !times.isError && (
        <RestoreView times={times.data as BenchmarkRestoreTime[]} />
      )}
    </Section>
  );
}

function RestoreChooser({ choice }: { choice: RestoreChoice }) {
  const { sizes, size, connections, set } = choice;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <ObjectCount choice={choice} />
      <Field label="Object size" className="w-40 max-md:w-full">
        <Select
          options={sizes.map((each) => ({ value: String(each), label: formatSize(each) }))}
          value={String(size)}
          onValueChange={(value) => void set({ objectBytes: Number(value) })}
        />
      </Field>
      <Field label="Connections" className="w-32 max-md:w-full">
        <Select
          options={connectionCounts.map((value) => ({ value, label: value }))}
          value={String(connections)}
          onValueChange={(value) => void set({ connections: Number(value) })}
        />
      </Field>
    </div>
  );
}

/** The number counts when it is left or confirmed, so that no answer is computed for half a number. */
function ObjectCount({ choice: { objects, set } }: { choice: RestoreChoice }) {
  const [text, setText] = useState(String(objects));
  const parsed = benchmarkRestoreInput.shape.objectCount.safeParse(
    text.trim() === "" ? undefined : Number(text),
  );
  const commit = () => {
    if (parsed.success) void set({ objects: parsed.data });
  };
  return (
    <Field
      label="Objects"
      className="w-40 max-md:w-full"
      {...(!parsed.success && { error: parsed.error.issues[0]?.message ?? "Write a whole number." })}
    >
      <TextInput
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
    </Field>
  );
}
