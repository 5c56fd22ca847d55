"use client";
import type { BenchmarkRegression, BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { StatusDot } from "@stashlight/ui/feedback";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { formatSubject, subjectKey } from "./subject.ts";

interface WatchProps {
  planId: string;
  subject: BenchmarkSubjectChoice;
  role: Role;
}

const describeRegression = (regression: BenchmarkRegression): string =>
  regression.kind === "change-point"
    ? "notifies the default channels when latency rises to a new level, and when it returns"
    : `notifies the default channels when ${regression.n} of the last ${regression.m} runs are over ${regression.thresholdMs} ms`;

/** Turns notifications about a slowdown of this operation and size on and off. */
export function Watch({ planId, subject, role }: WatchProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const watches = useQuery(trpc.benchmarkResult.listWatches.queryOptions({ planId }));
  const onSuccess = () => client.invalidateQueries(trpc.benchmarkResult.listWatches.queryFilter({ planId }));
  const set = useMutation(trpc.benchmarkResult.setWatch.mutationOptions({ onSuccess }));
  const remove = useMutation(trpc.benchmarkResult.removeWatch.mutationOptions({ onSuccess }));
  const [thresholdMs, setThresholdMs] = useState("");
  const watch = watches.data?.find((each) => subjectKey(each) === subjectKey(subject));
  const mayEdit = roleIncludes(role, "operator");
  const { operation, sizeBytes, connectionCount } = subject;
  const begin = (regression: BenchmarkRegression) =>
    set.mutate({ planId, operation, sizeBytes, connectionCount, regression });
  const error = set.error ?? remove.error;
  return (
    <div className="flex flex-col items-start gap-3">
      <p>
        {watch === undefined ? (
          `No channel is notified when ${formatSubject(subject)} becomes slower.`
        ) : (
          <span className="inline-flex flex-wrap items-center gap-3">
            <StatusDot
              status={watch.firingEndpointIds.length > 0 ? "bad" : "good"}
              label={watch.firingEndpointIds.length > 0 ? "Slower" : "Normal"}
            />
            Stashlight {describeRegression(watch.regression)}.
          </span>
        )}
      </p>
      {mayEdit && (
        <div className="flex flex-wrap items-end gap-3">
          <Button variant="secondary" pending={set.isPending} onClick={() => begin({ kind: "change-point" })}>
            Notify when the level changes
          </Button>
          <div className="w-40">
            <Field label="Median over, ms">
              <TextInput
                inputMode="decimal"
                value={thresholdMs}
                onChange={(event) => setThresholdMs(event.target.value)}
              />
            </Field>
          </div>
          <Button
            variant="secondary"
            disabled={!(Number(thresholdMs) > 0)}
            onClick={() => begin({ kind: "n-of-m", thresholdMs: Number(thresholdMs), n: 3, m: 5 })}
          >
            Notify when 3 of the last 5 runs are over this median
          </Button>
          {watch !== undefined && (
            <Button variant="quiet" onClick={() => remove.mutate({ watchId: watch.id })}>
              Stop notifying
            </Button>
          )}
        </div>
      )}
      {error !== null && <FormError>{describeError(error)}</FormError>}
    </div>
  );
}
