"use client";
import type { PlanReportDocument } from "@stashlight/contracts/planner";
import { checkStashPlanInput, explainPlan, type StashPlanInput } from "@stashlight/planner";
import { Wordmark } from "@stashlight/ui/brand";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { InputTable } from "../(console)/planner/input-table.tsx";
import { findPlanBasis } from "../(console)/planner/load-source.ts";
import { AnswerSentence, PlanAnswer } from "../(console)/planner/plan-answer.tsx";
import { NoteText } from "../(console)/planner/plan-note.tsx";
import { PrintButton } from "../shared-report.tsx";
import { SharedUncertainty } from "./shared-uncertainty.tsx";

const noFields: ReadonlySet<string> = new Set();

/** Computes the answer with today's formulas from the stored input. */
export function SharedPlan({ report }: { report: PlanReportDocument & { expiresAt: Date } }) {
  const input = useMemo(() => checkStashPlanInput(report.input).input, [report]);
  return (
    <Page>
      <PageHeader
        title={report.title}
        description="How many SSDs the stash needs, and why."
        action={<PrintButton />}
      />
      <p className="text-muted">
        The plan “{report.name}” as it was <Time value={report.createdAt} />. The link works until{" "}
        <Time value={report.expiresAt} />.
      </p>
      {input === null ? (
        <Callout status="warning" title="This plan was saved with inputs that are no longer valid" />
      ) : (
        <Answered input={input} report={report} />
      )}
      <p className="flex items-center gap-2 text-sm text-faint">
        <Wordmark /> computed this from the inputs above.
      </p>
    </Page>
  );
}

function Answered({ input, report }: { input: StashPlanInput; report: PlanReportDocument }) {
  const answer = useMemo(() => explainPlan(input), [input]);
  const basis = useMemo(() => findPlanBasis(noFields, report.loadMeasuredSeconds), [report]);
  return (
    <>
      <AnswerSentence answer={answer} basis={basis} isCurrent />
      <NoteText note={report.note} />
      <PlanAnswer answer={answer} basis={basis} />
      <SharedUncertainty input={answer.input} answer={answer} unjudged={basis.unjudged} asked={report} />
      <InputTable input={input} />
    </>
  );
}
