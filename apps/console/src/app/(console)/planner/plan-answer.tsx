"use client";
import { figureInWords, type StashAnswer, type StashPlanInput, secondsInWords } from "@stashlight/planner";
import { Tile, TileGrid } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { constraintFigure, growthFigure, sensitivityFigure } from "./answer-charts.ts";
import type { InstalledHeadroom } from "./as-installed.ts";
import { CostTable } from "./cost-table.tsx";
import { CrossChecks, NotSurvivedList, Tail } from "./reasons.tsx";

interface PlanAnswerProps {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
}

/** Everything that follows from a plan's input; the same for whoever types it and for whoever has a link to it. */
export function PlanAnswer({ input, answer }: PlanAnswerProps) {
  const figures = useMemo(
    () => ({
      constraints: constraintFigure(answer),
      sensitivities: sensitivityFigure(answer),
      growth: growthFigure(answer),
    }),
    [answer],
  );
  const { plan } = answer;
  return (
    <>
      <KeyFigures input={input} answer={answer} />
      <FigurePanel
        title="Which constraint binds?"
        metric={`drives that the load needs, before rounding up; ${secondsInWords(Math.max(input.residenceSecondsP99, input.outageSeconds))} of peak load must fit, by the ${plan.requiredBy}`}
        figure={figures.constraints}
        source={formatPlacement(input, answer)}
        exportName="constraints"
        heightPx={240}
      />
      <div className="grid gap-4 xl:grid-cols-2">
        <FigurePanel
          title="What moves the answer?"
          metric="drives for the load with one input 20 % lower or higher, the strongest first"
          figure={figures.sensitivities}
          exportName="sensitivities"
          heightPx={340}
        />
        <FigurePanel
          title="When does the load outgrow the pool?"
          metric={`growth of ${figureInWords(input.growthPerYear * 100)} % a year`}
          figure={figures.growth}
          source={answer.growth.sentence}
          exportName="growth"
          heightPx={340}
        />
      </div>
      <CostTable cost={answer.cost} plan={plan} />
      <Section title="What this pool would not survive" card>
        <NotSurvivedList answer={answer} />
      </Section>
      <CrossChecks checks={answer.crossChecks} required={plan.requiredBytes} />
      <Tail tail={answer.tail} />
    </>
  );
}

function formatPlacement(
  { dataShards, parityShards, serverFailuresTolerated }: StashPlanInput,
  { plan }: StashAnswer,
) {
  return `Placement: ${dataShards}+${parityShards} over at least ${plan.placementServers} servers, at most ${plan.shardsPerServerMax} shards of an upload on one, so that ${serverFailuresTolerated === 1 ? "one" : serverFailuresTolerated} may die; ${plan.decidedBy} decides.`;
}

interface AnswerSentenceProps {
  readonly answer: StashAnswer;
  readonly isCurrent: boolean;
  /** Where the installed drives are others than the plan's, what the pool does with those that are there. */
  readonly asInstalled?: InstalledHeadroom | null;
}

/** The answer's sentence, large, and whether it is that of what stands in the form. */
export function AnswerSentence({ answer, isCurrent, asInstalled = null }: AnswerSentenceProps) {
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
      {answer.advice !== null && <p className="text-muted">{answer.advice}</p>}
      {asInstalled !== null && (
        <Callout status={asInstalled.suffices ? "good" : "bad"} title={asInstalled.title}>
          {asInstalled.sentence}
        </Callout>
      )}
      {answer.headroom !== null && asInstalled === null && (
        <Callout
          status={answer.headroom.suffices ? "good" : "bad"}
          title={
            answer.headroom.suffices ? "The installed pool suffices" : "The installed pool does not suffice"
          }
        >
          {answer.headroom.sentence}
        </Callout>
      )}
    </section>
  );
}

function KeyFigures({ input, answer }: PlanAnswerProps) {
  const { plan, growth, notSurvived } = answer;
  const used = plan.driveWritesPerDay / input.drive.driveWritesPerDay;
  const month = growth.outgrownAtMonth;
  return (
    <TileGrid>
      <Tile
        title="Drives"
        value={figureInWords(plan.drives)}
        unit={`in ${figureInWords(plan.servers)} servers`}
        statistic={`${plan.decidedBy} decides`}
      />
      <Tile
        title="Drives for the load"
        value={figureInWords(plan.drivesForLoad)}
        statistic={`${plan.bindingConstraint} binds`}
      />
      <Tile
        title="Endurance used"
        value={figureInWords(used * 100)}
        unit="%"
        statistic={`${figureInWords(plan.driveWritesPerDay)} of ${figureInWords(input.drive.driveWritesPerDay)} DWPD`}
        status={used > 1 ? "bad" : "good"}
      />
      <Tile
        title="Longest outage"
        value={secondsInWords(notSurvived.outageSecondsMax)}
        statistic="of all pods, at peak load"
      />
      <Tile
        title="Outgrown"
        value={month === null ? null : month === 0 ? "today" : `month ${month}`}
        missing="not within ten years"
        statistic={`the ${growth.pool.basis} pool`}
      />
    </TileGrid>
  );
}
