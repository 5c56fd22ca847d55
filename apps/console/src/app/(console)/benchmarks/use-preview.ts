"use client";
import type { BenchmarkMethodRow } from "@stashlight/contracts/benchmark";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import type { toPlan } from "./plan-form.ts";

const settleMs = 300;

/** Returns the value once it has not changed for a while. */
function useSettled<Value>(value: Value, name: string): Value {
  const [settled, setSettled] = useState({ value, name });
  useEffect(() => {
    if (settled.name === name) return;
    const timer = setTimeout(() => setSettled({ value, name }), settleMs);
    return () => clearTimeout(timer);
  }, [value, name, settled.name]);
  return settled.value;
}

/** Previews the plan in the form whenever typing pauses. */
export function usePreview({ plan, problems }: ReturnType<typeof toPlan>, method: BenchmarkMethodRow) {
  const trpc = useTRPC();
  const { endpointIds, cron, timeZone } = plan;
  const asked = {
    endpointIds,
    method: { name: method.name, parameters: plan.method.parameters },
    cron,
    timeZone,
  };
  const input = useSettled(asked, JSON.stringify(asked));
  const isComplete = Object.keys(problems).length === 0;
  return useQuery(
    trpc.benchmarkPlan.preview.queryOptions(input, {
      enabled: isComplete,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
}
