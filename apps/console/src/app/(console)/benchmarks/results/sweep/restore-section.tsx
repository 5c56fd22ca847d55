"use client";
import {
  type BenchmarkSubjectChoice,
  RESTORE_CONNECTIONS_MAX,
  RESTORE_OBJECTS_MAX,
} from "@stashlight/contracts/benchmark";
import { formatSize } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
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

/** Input of the restore estimate, kept in the page's address; null for a plan without downloads. */
export function useRestoreChoice({ planId, subjects, period }: RestoreSectionProps) {
  const [{ objects, objectBytes, connections }, set] = useQueryStates(parsers, { history: "replace" });
  const sizes = [
    ...new Set(subjects.filter(({ operation }) => operation === "GET").map(({ sizeBytes }) => sizeBytes)),
  ].sort((a, b) => a - b);
  const size = sizes.find((each) => each === objectBytes) ?? sizes.at(-1);
  if (size === undefined) return null;
  // The page's address may contain any number, so both are checked.
  const question = {
    planId,
    ...period,
    objectBytes: size,
    objectCount: isObjectCount(objects) ? objects : parsers.objects.defaultValue,
    connectionCount: Math.min(Math.max(1, connections), RESTORE_CONNECTIONS_MAX),
  };
  return { sizes, set, question };
}
export type RestoreChoice = NonNullable<ReturnType<typeof useRestoreChoice>>;

export function RestoreSection({ choice }: { choice: RestoreChoice }) {
  const trpc = useTRPC();
  const times = useQuery(
    trpc.benchmarkResult.restoreTime.queryOptions(choice.question, { placeholderData: keepPreviousData }),
  );
  return (
    <Section title="How long does a restore take?">
      <RestoreChooser choice={choice} />
      {times.isError && (
        <QueryError what="The restore time" error={times.error} onRetry={() => void times.refetch()} />
      )}
      {times.isPending && <Skeleton height={160} />}
      {times.data !== undefined && !times.isError && <RestoreView times={times.data} />}
    </Section>
  );
}

function RestoreChooser({ choice }: { choice: RestoreChoice }) {
  const { sizes, question, set } = choice;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <ObjectCount choice={choice} />
      <Field label="Object size" className="w-40 max-md:w-full">
        <Select
          options={sizes.map((each) => ({ value: String(each), label: formatSize(each) }))}
          value={String(question.objectBytes)}
          onValueChange={(value) => void set({ objectBytes: Number(value) })}
        />
      </Field>
      <Field label="Connections" className="w-32 max-md:w-full">
        <Select
          options={connectionCounts.map((value) => ({ value, label: value }))}
          value={String(question.connectionCount)}
          onValueChange={(value) => void set({ connections: Number(value) })}
        />
      </Field>
    </div>
  );
}

const isObjectCount = (count: number): boolean =>
  Number.isInteger(count) && count >= 1 && count <= RESTORE_OBJECTS_MAX;

/** Accepts the number on blur or Enter, so that no answer is computed for half a number. */
function ObjectCount({ choice: { question, set } }: { choice: RestoreChoice }) {
  const [text, setText] = useState(String(question.objectCount));
  const count = text.trim() === "" ? Number.NaN : Number(text);
  const commit = () => {
    if (isObjectCount(count)) void set({ objects: count });
  };
  return (
    <Field
      label="Objects"
      className="w-40 max-md:w-full"
      error={
        isObjectCount(count)
          ? undefined
          : `Enter a whole number from 1 to ${formatCount(RESTORE_OBJECTS_MAX)}.`
      }
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
