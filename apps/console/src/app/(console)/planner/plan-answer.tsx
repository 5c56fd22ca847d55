"use client";
import {
  describeSmallLoad,
  formatFigure,
  formatPlanSeconds,
  type PoolVerdict,
  type StashAnswer,
  type StashPlanInput,
} from "@stashlight/planner";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { constraintFigure, growthFigure, poolsFigure, sensitivityFigure } from "./answer-charts.ts";
import { CostTable } from "./cost-table.tsx";
import { DurabilitySection } from "./durability-section.tsx";
import { growthSources, loadSoFar, type PlanBasis } from "./load-source.ts";
import { PoolTable, poolVerdicts } from "./pool-table.tsx";
import { Availability, CrossChecks, NotSurvivedList, Ports, Tail } from "./reasons.tsx";

interface PlanAnswerProps {
  readonly answer: StashAnswer;
  readonly basis: PlanBasis;
}

/** Everything computed from a plan's input; the same in the form and behind a shared link. */
export function PlanAnswer({ answer, basis }: PlanAnswerProps) {
  const figures = useMemo(
    () => ({
      pools: poolsFigure(answer, basis),
      constraints: constraintFigure(answer),
      sensitivities: sensitivityFigure(answer),
      growth: growthFigure(answer),
    }),
    [answer, basis],
  );
  const { plan, input, planned } = answer;
  const smallLoad = describeSmallLoad(plan);
  return (
    <>
      <PoolTable answer={answer} basis={basis} />
      <FigurePanel
        title="How many servers?"
        metric={`pools of ${formatFigure(input.drivesPerServer)} drives per server: price, and how many times each carries the planned load`}
        figure={figures.pools}
        source={`List prices of the plan; ${input.serverFailuresTolerated === 1 ? "one server" : `${input.serverFailuresTolerated} servers`} dead.`}
        exportName="pools"
        heightPx={260}
      />
      <Constraints answer={answer} smallLoad={smallLoad} figure={figures.constraints} />
      <div className="grid gap-4 xl:grid-cols-2">
        {smallLoad === null && (
          <FigurePanel
            title="What moves the answer?"
            metric="drives needed with one input 20 % lower or higher, largest effect first"
            figure={figures.sensitivities}
            exportName="sensitivities"
            heightPx={340}
          />
        )}
        <FigurePanel
          title="When does the load outgrow the pool?"
          metric={`${growthSources[basis.growthFrom]}, ${formatFigure(input.growthPerYear * 100)} % a year`}
          figure={figures.growth}
          exportName="growth"
          heightPx={340}
        />
      </div>
      <PortsOfPools answer={answer} />
      <CostTable {...planned} />
      {poolVerdicts(answer).map((verdict) => (
        <Section
          key={verdict.pool.basis}
          title={`What the ${verdict.pool.basis} pool would not survive`}
          description={basis.unjudged === null ? undefined : `${basis.unjudged}. By the load so far:`}
          card
        >
          <NotSurvivedList verdict={verdict} />
        </Section>
      ))}
      <DurabilitySection answer={answer.durability} />
      <Availability availability={answer.availability} />
      <CrossChecks checks={answer.crossChecks} required={plan.requiredBytes} />
      <Tail tail={answer.tail} />
    </>
  );
}

interface ConstraintsProps {
  readonly answer: StashAnswer;
  readonly smallLoad: string | null;
  readonly figure: ReturnType<typeof constraintFigure>;
}

function Constraints({ answer, smallLoad, figure }: ConstraintsProps) {
  const { plan, input } = answer;
  return smallLoad === null ? (
    <FigurePanel
      title="Which constraint binds?"
      metric={`drives that the load needs, before rounding up; ${formatPlanSeconds(Math.max(input.residenceSecondsP99, input.outageSeconds))} of peak load must fit, by the ${plan.requiredBy}`}
      figure={figure}
      source={formatPlacement(input, answer)}
      exportName="constraints"
      heightPx={240}
    />
  ) : (
    <Callout status="info" title="Which constraint binds?">
      {smallLoad} {formatPlacement(input, answer)}
    </Callout>
  );
}

const PortsOfPools = ({ answer }: Pick<PlanAnswerProps, "answer">) =>
  poolVerdicts(answer).map((verdict) => <Ports key={verdict.pool.basis} verdict={verdict} />);

function formatPlacement(
  { dataShards, parityShards, serverFailuresTolerated }: StashPlanInput,
  { plan }: StashAnswer,
) {
  return `Placement: ${dataShards}+${parityShards} over at least ${plan.placementServers} servers, at most ${plan.shardsPerServerMax} shards of an upload on one, so that ${serverFailuresTolerated === 1 ? "one" : serverFailuresTolerated} may die; ${plan.decidedBy} decides.`;
}

interface AnswerSentenceProps {
  readonly answer: StashAnswer;
  readonly basis: PlanBasis;
  readonly isCurrent: boolean;
  /** Puts the cheapest pool into the form; omitted if there is none. */
  readonly onTakeCheapest?: () => void;
}

/** The answer in one sentence, marked while it does not match the form's current input. */
export function AnswerSentence({ answer, basis, isCurrent, onTakeCheapest }: AnswerSentenceProps) {
  const { advice, installed, input, planned, direct } = answer;
  return (
    <section aria-label="Answer" className="flex flex-col gap-2">
      {!isCurrent && (
        <Callout status="warning" title="The last valid answer">
          It stays until the marked fields are corrected, and does not take them into account.
        </Callout>
      )}
      <p aria-live="polite" className={`text-lg text-pretty ${isCurrent ? "text-ink" : "text-faint"}`}>
        {answer.sentence}.
      </p>
      {advice !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
          <p>{advice}</p>
          {onTakeCheapest !== undefined && isCurrent && (
            <span className="print:hidden">
              <Button size="sm" variant="secondary" onClick={onTakeCheapest}>
                Plan with {formatFigure(input.drivesPerServer)} per server
              </Button>
            </span>
          )}
        </div>
      )}
      {direct !== null && (
        <Callout status="info" title="Uploads that bypass the stash">
          {direct.sentence}
        </Callout>
      )}
      {!planned.network.suffices && (
        <Callout
          status={basis.unjudged === null ? "bad" : "info"}
          title={`The network does not suffice${basis.unjudged === null ? "" : " for the load so far"}`}
        >
          {planned.network.sentence}
        </Callout>
      )}
      {installed !== null && <InstalledPool verdict={installed} basis={basis} />}
    </section>
  );
}

function InstalledPool({ verdict, basis: { unjudged } }: { verdict: PoolVerdict; basis: PlanBasis }) {
  if (unjudged !== null) {
    return (
      <Callout status="info" title="The installed pool is not judged yet">
        {unjudged}. {loadSoFar(unjudged)}
        {verdict.sentence}
      </Callout>
    );
  }
  return (
    <Callout status={verdict.suffices ? "good" : "bad"} title={verdict.title}>
      {verdict.sentence}
    </Callout>
  );
}
