"use client";
import {
  type BenchmarkComparisonQuestion,
  type BenchmarkSlotCount,
  isGateOpen,
} from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { UiLink, useNow } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Button } from "@stashlight/ui/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { formatSlotsLeft } from "../format-plan.ts";
import { useSlotsQueued } from "../use-slots-queued.ts";

const busyRefetchMs = 2_000;
const idleRefetchMs = 60_000;

/**
 * Slots in progress and the next slot, and a button that runs the slots still needed for a verdict.
 */
export function SlotsNeeded({ question, role }: { question: BenchmarkComparisonQuestion; role: Role }) {
  const trpc = useTRPC();
  const slots = useQuery(
    trpc.benchmarkResult.countSlots.queryOptions(question, {
      refetchInterval: ({ state }) => ((state.data?.underWayCount ?? 0) > 0 ? busyRefetchMs : idleRefetchMs),
    }),
  );
  const runRest = useRunRest(question);
  const nowMs = useNow(1_000);
  if (slots.data === undefined) return null;
  const { missingCount, underWayCount } = slots.data;
  const { count, left } = formatSlotsLeft(slots.data, nowMs);
  const mayRun = roleIncludes(role, "operator");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="tabular-nums">
        <NextSlot slots={slots.data} />
        {underWayCount > 0 && (
          <>
            {" "}
            <UiLink href={`/benchmarks/plans/${question.planId}`}>{count}</UiLink>, {left}
          </>
        )}
      </p>
      {missingCount > 0 && mayRun && (
        <Button icon={<ListPlus aria-hidden="true" />} pending={runRest.isPending} onClick={runRest.run}>
          Run until verdict
        </Button>
      )}
    </div>
  );
}

function NextSlot({ slots }: { slots: BenchmarkSlotCount }) {
  if (isGateOpen(slots)) return null;
  if (slots.nextAt === null) return "The schedule is paused.";
  return (
    <>
      The next slot is at <Time value={slots.nextAt} />.
    </>
  );
}

function useRunRest(question: BenchmarkComparisonQuestion) {
  const trpc = useTRPC();
  const slotsQueued = useSlotsQueued();
  const queryClient = useQueryClient();
  const runRest = useMutation(
    trpc.benchmarkResult.runRest.mutationOptions({
      ...slotsQueued,
      onSettled: () => {
        void queryClient.invalidateQueries(trpc.benchmarkResult.countSlots.queryFilter());
        void queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter());
      },
    }),
  );
  return { isPending: runRest.isPending, run: () => runRest.mutate(question) };
}
