"use client";
import { checkStashPlanInput, explainPlan, type StashAnswer, type StashPlanInput } from "@stashlight/planner";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { skipToken, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { type ComparedRow, comparedAnswers, comparedInputs } from "./compare.ts";
import { FigureTable } from "./figure-table.tsx";

interface CompareSectionProps {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
  /** Of the plan that is open. */
  readonly ownId: string | null;
}

const NONE = "none";

/** What stands in the form beside a plan that was saved. */
export function CompareSection({ input, answer, ownId }: CompareSectionProps) {
  const trpc = useTRPC();
  const [compareId, setCompareId] = useQueryState(
    "compare",
    parseAsString.withOptions({ history: "replace" }),
  );
  const scenarios = useQuery(trpc.planner.listScenarios.queryOptions());
  const others = scenarios.data ?? [];
  if (others.length === 0) return null;
  return (
    <Section
      title="Compare"
      description="What stands in the form beside a plan that was saved; differences are marked."
      actions={
        <span className="w-56 print:hidden">
          <Select
            aria-label="Compare with"
            options={[
              { value: NONE, label: "With nothing" },
              ...others.map(({ id, name }) => ({
                value: id,
                label: name,
                ...(id === ownId ? { hint: "as it was saved" } : {}),
              })),
            ]}
            value={compareId ?? NONE}
            onValueChange={(id) => void setCompareId(id === NONE ? null : id)}
          />
        </span>
      }
    >
      {compareId !== null && <Comparison input={input} answer={answer} otherId={compareId} />}
    </Section>
  );
}

function Comparison({
  input,
  answer,
  otherId,
}: Pick<CompareSectionProps, "input" | "answer"> & { otherId: string }) {
  const trpc = useTRPC();
  const other = useQuery(
    trpc.planner.getScenario.queryOptions(otherId === "" ? skipToken : { scenarioId: otherId }),
  );
  const compared = useMemo(() => {
    const checked = other.data === undefined ? null : checkStashPlanInput(other.data.input).input;
    if (checked === null) return null;
    return {
      answers: comparedAnswers(answer, explainPlan(checked)),
      inputs: comparedInputs(input, checked),
    };
  }, [other.data, answer, input]);
  if (other.isError) {
    return <QueryError what="The other plan" error={other.error} onRetry={() => void other.refetch()} />;
  }
  if (other.data === undefined) return <Skeleton height={320} />;
  if (compared === null) {
    return (
      <Callout status="warning" title={`"${other.data.name}" was saved with inputs that are refused today`} />
    );
  }
  const columns = ["This plan", other.data.name];
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <FigureTable
        label="Answers compared"
        columns={["Answer", ...columns]}
        rows={compared.answers.map(toRow)}
      />
      {compared.inputs.length === 0 ? (
        <p className="text-muted">All inputs are alike.</p>
      ) : (
        <FigureTable
          label="Inputs that differ"
          columns={["Input", ...columns]}
          rows={compared.inputs.map((each) => ({ ...toRow(each), isMarked: false }))}
        />
      )}
    </div>
  );
}

const toRow = ({ name, own, other, isDifferent }: ComparedRow) => ({
  name: isDifferent ? `${name} ≠` : name,
  cells: [own, other],
  isMarked: isDifferent,
});
