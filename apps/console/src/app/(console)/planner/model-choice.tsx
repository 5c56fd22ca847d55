"use client";
import type { ModelRateRow } from "@stashlight/contracts/failure-rate";
import { describeEvidence, rateInWords } from "@stashlight/planner";
import { UiLink } from "@stashlight/ui";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { modelTexts } from "./model-texts.ts";
import type { PlanState } from "./use-plan.ts";

const OWN = "own";

/** Chooses the drive model whose failure rate and failure count the plan uses. */
export function ModelChoice({ plan }: { plan: PlanState }) {
  const trpc = useTRPC();
  const rates = useQuery(trpc.failureRate.list.queryOptions());
  const models = rates.data?.models.filter(({ model }) => model !== "") ?? [];
  const chosen = models.find((model) => isTaken(model, plan));
  return (
    <Field
      label="HDD model"
      hint={
        <>
          {chosen === undefined
            ? "Fills in a model's failure rate, and the number of failures behind it."
            : `${rateInWords(chosen.rate)} per drive-year; ${describeEvidence(chosen)}.`}{" "}
          <UiLink href="/disks/failure-rates" className="underline">
            All models
          </UiLink>
        </>
      }
    >
      <Select
        options={[
          { value: OWN, label: "A rate of your own" },
          ...models.map(({ model, installedCount }) => ({
            value: model,
            label: model,
            ...(installedCount === 0 ? {} : { hint: `${installedCount} in use` }),
          })),
        ]}
        value={chosen?.model ?? OWN}
        onValueChange={(value) => {
          const model = models.find((each) => each.model === value);
          if (model !== undefined) plan.setTexts(modelTexts(model));
        }}
      />
    </Field>
  );
}

const isTaken = (model: ModelRateRow, { draft }: PlanState): boolean =>
  Object.entries(modelTexts(model)).every(([path, text]) => draft.texts[path] === text);
