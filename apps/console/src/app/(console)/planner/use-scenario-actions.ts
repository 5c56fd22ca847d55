"use client";
import type { PlanScenario } from "@stashlight/contracts/planner";
import type { StashPlanInput, UncertainRange } from "@stashlight/planner";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../client/trpc.tsx";

/** Everything that a plan stores. */
export interface PlanToSave {
  readonly input: StashPlanInput;
  readonly note: string;
  readonly ranges: readonly UncertainRange[];
  readonly aroundShare: number;
  readonly loadMeasuredSeconds: number | null;
}

const sent = ({ input, ranges, ...others }: PlanToSave) => ({
  ...others,
  input: { ...input },
  ranges: ranges.map((range) => ({ ...range })),
});

/** Server actions on plans; each refreshes the lists that show them. */
export function useScenarioActions(scenario: PlanScenario | null) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [savedAtMs, setSavedAtMs] = useState(scenario?.updatedAt.getTime() ?? 0);
  const renew = () => client.invalidateQueries(trpc.planner.listScenarios.queryFilter());
  /** Leaves the open plan unchanged; the next opening loads it again. */
  const forget = () => {
    if (scenario !== null) {
      client.removeQueries({
        ...trpc.planner.getScenario.queryFilter({ scenarioId: scenario.id }),
        type: "inactive",
      });
    }
    return renew();
  };
  const create = useMutation(trpc.planner.createScenario.mutationOptions({ onSuccess: renew }));
  const update = useMutation(
    trpc.planner.updateScenario.mutationOptions({
      onSuccess: async (
        { updatedAt, note },
        { input, ranges = [], aroundShare = 0, loadMeasuredSeconds = null },
      ) => {
        setSavedAtMs(updatedAt.getTime());
        if (scenario !== null) {
          const key = trpc.planner.getScenario.queryKey({ scenarioId: scenario.id });
          client.setQueryData(key, {
            ...scenario,
            note,
            input,
            ranges,
            aroundShare,
            loadMeasuredSeconds,
            updatedAt,
          });
        }
        await renew();
      },
    }),
  );
  const rename = useMutation(
    trpc.planner.renameScenario.mutationOptions({
      onSuccess: async (row) => {
        if (scenario !== null) {
          const key = trpc.planner.getScenario.queryKey({ scenarioId: scenario.id });
          client.setQueryData(key, (old) => (old === undefined ? old : { ...old, name: row.name }));
        }
        await renew();
      },
    }),
  );
  const remove = useMutation(trpc.planner.deleteScenario.mutationOptions({ onSuccess: forget }));
  const requireScenarioId = (): string => {
    if (scenario === null) throw new Error("Only a saved plan can be changed.");
    return scenario.id;
  };
  return {
    update,
    create: (name: string, asked: PlanToSave) => create.mutateAsync({ name, ...sent(asked) }),
    save: (asked: PlanToSave) =>
      update.mutate({ scenarioId: requireScenarioId(), ...sent(asked), updatedAtMs: savedAtMs }),
    rename: (name: string) => rename.mutateAsync({ scenarioId: requireScenarioId(), name }),
    remove: (name: string) => remove.mutateAsync({ scenarioId: requireScenarioId(), name }),
    makeDefault: useMutation(trpc.planner.setDefaultScenario.mutationOptions({ onSuccess: renew })),
    share: useMutation(trpc.planner.share.mutationOptions()),
  };
}
