"use client";
import { checkRanges, checkStashPlanInput, explainPlan, type StashAnswer } from "@stashlight/planner";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { skipToken, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { type AskedPlan, type ComparedRow, comparedAnswers, comparedInputs } from "./compare.ts";
import { FigureTable } from "./figure-table.tsx";
import { describeShortLoad } from "./load-source.ts";
import { NoteText } from "./plan-note.tsx";

interface CompareSectionProps extends AskedPlan {
  readonly answer: StashAnswer;
  /** Reason that its load is too short to judge pools; null if they are judged. */
  readonly unjudged: string | null;
  readonly note: string;
  /** Id of the open plan. */
  readonly ownId: string | null;
}

const NONE = "none";

/** The form's current input beside a saved plan. */
export function CompareSection({ ownId, ...own }: CompareSectionProps) {
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
      className={compareId === null ? "print:hidden" : ""}
      description="The plan in the form beside a saved one. Differences are marked."
      actions={
        <span className="w-56 print:hidden">
          <Select
            aria-label="Compare with"
            options={[
              { value: NONE, label: "Nothing" },
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
      {compareId !== null && <Comparison {...own} otherId={compareId} />}
    </Section>
  );
}

function Comparison({
  input,
  ranges,
  answer,
  unjudged,
  note,
  otherId,
}: Omit<CompareSectionProps, "ownId"> & { otherId: string }) {
  const trpc = useTRPC();
  const other = useQuery(
    trpc.planner.getScenario.queryOptions(otherId === "" ? skipToken : { scenarioId: otherId }),
  );
  const compared = useMemo(() => {
    const checked = other.data === undefined ? null : checkStashPlanInput(other.data.input).input;
    if (checked === null) return null;
    const others = checkRanges(other.data?.ranges).ranges ?? [];
    return {
      answers: comparedAnswers(
        { answer, unjudged },
        {
          answer: explainPlan(checked),
          unjudged: describeShortLoad(other.data?.loadMeasuredSeconds ?? null),
        },
      ),
      inputs: comparedInputs({ input, ranges }, { input: checked, ranges: others }),
    };
  }, [other.data, answer, unjudged, input, ranges]);
  if (other.isError) {
    return <QueryError what="The other plan" error={other.error} onRetry={() => void other.refetch()} />;
  }
  if (other.data === undefined) return <Skeleton height={320} />;
  if (compared === null) {
    return (
      <Callout
        status="warning"
        title={`"${other.data.name}" was saved with inputs that are no longer valid`}
      />
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
        <p className="text-muted">All inputs are the same.</p>
      ) : (
        <FigureTable
          label="Inputs that differ"
          columns={["Input", ...columns]}
          rows={compared.inputs.map((each) => ({ ...toRow(each), isMarked: false }))}
        />
      )}
      {[
        { title: "Notes of this plan", text: note },
        { title: `Notes of ${other.data.name}`, text: other.data.note },
      ].map(({ title, text }) =>
        text.trim() === "" ? null : (
          <Section key={title} title={title} card>
            <NoteText note={text} />
          </Section>
        ),
      )}
    </div>
  );
}

const toRow = ({ name, own, other, isDifferent }: ComparedRow) => ({
  name: isDifferent ? `${name} ≠` : name,
  cells: [own, other],
  isMarked: isDifferent,
});
