"use client";
import { figureInWords, type StashAnswer, type StashPlanInput, secondsInWords } from "@stashlight/planner";
import { Tile, TileGrid } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { constraintFigure, growthFigure, poolsFigure, sensitivityFigure } from "./answer-charts.ts";
import { CostTable } from "./cost-table.tsx";
import { outgrownInWords, type PresentStash, presentSentence, presentTitle } from "./present-stash.ts";
import { CrossChecks, NotSurvivedList, Tail } from "./reasons.tsx";

interface PlanAnswerProps {
  readonly answer: StashAnswer;
  /** The pool that is installed, with the drives that are there; null where none is. */
  readonly present: PresentStash | null;
}

/** Everything that follows from a plan's input; the same for whoever types it and for whoever has a link to it. */
export function PlanAnswer({ answer, present }: PlanAnswerProps) {
  const figures = useMemo(
    () => ({
      pools: poolsFigure(answer, present),
      constraints: constraintFigure(answer),
      sensitivities: sensitivityFigure(answer),
      growth: growthFigure(answer, present),
    }),
    [answer, present],
  );
  const { plan, input } = answer;
  return (
    <>
      <KeyFigures answer={answer} present={present} />
      <FigurePanel
        title="How many servers?"
        metric={`pools of ${figureInWords(input.drivesPerServer)} drives a server: price, and how many times each carries the planned load`}
        figure={figures.pools}
        source={`List prices of the plan; ${input.serverFailuresTolerated === 1 ? "one server" : `${input.serverFailuresTolerated} servers`} dead.`}
        exportName="pools"
        heightPx={260}
      />
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
          source={present?.otherCapacityBytes == null ? answer.growth.sentence : undefined}
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
  readonly present: PresentStash | null;
  /** Puts the cheapest pool into the form; left out where there is none. */
  readonly onTakeCheapest?: () => void;
}

/** The answer's sentence, large, and whether it is that of what stands in the form. */
export function AnswerSentence({ answer, isCurrent, present, onTakeCheapest }: AnswerSentenceProps) {
  const { advice, headroom, input } = answer;
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
                Plan with {figureInWords(input.drivesPerServer)} a server
              </Button>
            </span>
          )}
        </div>
      )}
      {present !== null && headroom !== null && (
        <Callout status={present.suffices ? "good" : "bad"} title={presentTitle(present)}>
          {presentSentence(present, input, headroom)}
        </Callout>
      )}
    </section>
  );
}

function KeyFigures({ answer, present }: PlanAnswerProps) {
  const { input, plan, growth, notSurvived } = answer;
  const used = plan.driveWritesPerDay / input.drive.driveWritesPerDay;
  const month = growth.outgrownAtMonth;
  const planned = month === null ? null : month === 0 ? "today" : `month ${month}`;
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
        value={present === null ? planned : outgrownInWords(present)}
        missing="not within ten years"
        statistic={`the ${growth.pool.basis} pool`}
        {...(present === null ? {} : { status: present.sufficesToday ? "good" : "bad" })}
      />
    </TileGrid>
  );
}
