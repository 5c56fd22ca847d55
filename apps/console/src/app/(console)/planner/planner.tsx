"use client";
import type { LiveInputs, PlanScenario } from "@stashlight/contracts/planner";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import type { Role } from "@stashlight/contracts/user";
import {
  AROUND_SHARE_DEFAULT,
  checkStashPlanInput,
  defaultPlanInput,
  type StashPlanInput,
} from "@stashlight/planner";
import { serverNow, useNow } from "@stashlight/ui";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import { type ReactNode, useEffect, useState } from "react";
import { useElapsedSeconds } from "../../../client/elapsed-seconds.ts";
import { usePageTitle } from "../../../client/page-title.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { addVaultInWords } from "./add-vault.ts";
import { CompareSection } from "./compare-section.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { InputTable } from "./input-table.tsx";
import { agedBy, fleetEndMs, fleetSources } from "./live.ts";
import { LoadImport } from "./load/load-import.tsx";
import { describeLoadSource } from "./load-source.ts";
import { AnswerSentence, PlanAnswer } from "./plan-answer.tsx";
import { PlanForm } from "./plan-form.tsx";
import { isNote, NoteSection, NoteText } from "./plan-note.tsx";
import { PrintOrigin } from "./print-origin.tsx";
import { givenRanges } from "./ranges.ts";
import { ScenarioBar } from "./scenario-bar.tsx";
import { UncertaintyPanel } from "./uncertainty-panel.tsx";
import { type PlanState, usePlan } from "./use-plan.ts";
import { useRanges } from "./use-ranges.ts";

const spans = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS } as const;
const spanOptions = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
] as const;
const parsers = {
  vault: parseAsString,
  span: parseAsStringLiteral(spanOptions.map(({ value }) => value)).withDefault("24h"),
};

const nothingGiven = { ranges: [], aroundShare: AROUND_SHARE_DEFAULT, loadMeasuredSeconds: null };

/**
 * A plan was valid when it was stored; one of an older format that is no longer valid is replaced
 * by the example plan.
 */
function initialInput(scenario: PlanScenario | null): { input: StashPlanInput; isUnreadable: boolean } {
  if (scenario === null) return { input: defaultPlanInput, isUnreadable: false };
  const { input } = checkStashPlanInput(scenario.input);
  return { input: input ?? defaultPlanInput, isUnreadable: input === null };
}

interface PlannerProps {
  description: ReactNode;
  role: Role;
  scenario: PlanScenario | null;
}

export function Planner({ description, role, scenario }: PlannerProps) {
  usePageTitle(scenario?.name ?? "Planner");
  const [initial] = useState(() => initialInput(scenario));
  const plan = usePlan(initial.input, (scenario ?? nothingGiven).loadMeasuredSeconds);
  const fleet = useFleet();
  const live = fleet.live.data;
  const [note, setNote] = useState(scenario?.note ?? "");
  const ranges = useRanges(scenario ?? nothingGiven, plan, live);
  const { input, answer, basis, loadMeasuredSeconds } = plan;
  useFillFromLink(plan, live);
  const isComplete = plan.isCurrent && isNote(note);
  const exported = { input, answer, note, ranges: givenRanges(ranges.rows), unjudged: basis.unjudged };
  return (
    <Page>
      <PageHeader
        title={scenario === null ? "Planner" : scenario.name}
        description={description}
        action={
          <span className="flex flex-wrap items-center gap-2 print:hidden">
            <ExportMenu name={scenario?.name ?? "stash-plan"} plan={exported} />
            <LoadImport plan={plan} />
            <FillButton plan={plan} live={live} />
          </span>
        }
      />
      <PrintOrigin vault={plan.fromFleet.size === 0 ? null : (live?.vault ?? null)} />
      {initial.isUnreadable && (
        <Callout status="warning" title="This plan cannot be read">
          It was saved with inputs that are no longer valid. The example plan is shown instead.
        </Callout>
      )}
      <ScenarioBar
        role={role}
        scenario={scenario}
        toSave={isComplete ? ranges.toSave && { input, note, loadMeasuredSeconds, ...ranges.toSave } : null}
      />
      <FleetBar fleet={fleet} />
      {/* Shows the fleet's values at each field and beside the answer. */}
      {fleet.live.isPending && <Skeleton height={0} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(300px,380px)_minmax(0,1fr)] print:block">
        <section aria-label="Inputs" className="max-lg:order-2 print:hidden">
          <PlanForm plan={plan} live={fleet.aged} />
        </section>
        <div className="flex min-w-0 flex-col gap-6 max-lg:order-1 print:mt-6">
          <AnswerSentence
            answer={answer}
            basis={basis}
            isCurrent={plan.isCurrent}
            onTakeCheapest={() => plan.setTexts({ drivesPerServer: String(answer.input.drivesPerServer) })}
          />
          <LoadSource plan={plan} live={live} />
          <AddVault live={fleet.aged} />
          <NoteText note={note} isOnPaperOnly />
          <PlanAnswer answer={answer} basis={basis} />
          <UncertaintyPanel input={answer.input} unjudged={basis.unjudged} state={ranges} />
          <NoteSection note={note} onChange={setNote} />
        </div>
      </div>
      <div className="hidden print:block">
        <InputTable
          input={input}
          sources={fleet.aged === undefined ? {} : fleetSources(plan.fromFleet, fleet.aged)}
        />
      </div>
      <CompareSection {...exported} ownId={scenario?.id ?? null} />
    </Page>
  );
}

function LoadSource({ plan, live }: { plan: PlanState; live: LiveInputs | undefined }) {
  const words = describeLoadSource(plan.fromFleet, plan.loadMeasuredSeconds, live);
  if (words === null) return null;
  return (
    <Callout status="info" title={words.title}>
      {words.sentence}
    </Callout>
  );
}

function AddVault({ live }: { live: LiveInputs | undefined }) {
  const words = addVaultInWords(live?.addVault);
  if (words === null) return null;
  return (
    <Callout status={words.status} title={words.title}>
      {words.sentence}
    </Callout>
  );
}

function FillButton({ plan, live }: { plan: PlanState; live: LiveInputs | undefined }) {
  return (
    <Button
      variant="primary"
      icon={<Download aria-hidden="true" />}
      disabled={live === undefined}
      onClick={() => {
        if (live !== undefined) plan.takeAll(live);
      }}
    >
      Fill from the fleet
    </Button>
  );
}

/** A link may request the fleet's values, so that the plan agrees with the page that links to it. */
function useFillFromLink(plan: PlanState, live: LiveInputs | undefined): void {
  const [fill, setFill] = useQueryState("fill", parseAsStringLiteral(["fleet"]));
  useEffect(() => {
    if (fill === null || live === undefined) return;
    plan.takeAll(live);
    void setFill(null);
  }, [fill, live, plan, setFill]);
}

function useFleet() {
  const trpc = useTRPC();
  const [choice, setChoice] = useQueryStates(parsers, { history: "replace" });
  const [openedMs] = useState(() => serverNow());
  const toMs = fleetEndMs(useNow(MINUTE_MS) ?? openedMs);
  const live = useQuery(
    trpc.planner.liveInputs.queryOptions(
      {
        fromMs: toMs - spans[choice.span],
        toMs,
        ...(choice.vault === null ? {} : { vault: choice.vault }),
      },
      { placeholderData: keepPreviousData, staleTime: MINUTE_MS },
    ),
  );
  const elapsedSeconds = useElapsedSeconds(live.data?.answeredAtMs);
  const aged = live.data === undefined ? undefined : agedBy(live.data, elapsedSeconds);
  return { live, aged, choice, setChoice };
}

/** Chooses the vault and the time range for the fleet's values. */
function FleetBar({ fleet }: { fleet: ReturnType<typeof useFleet> }) {
  const { live, choice, setChoice } = fleet;
  const { data } = live;
  if (data === undefined && live.isError) {
    return (
      <QueryError what="Figures from the fleet" error={live.error} onRetry={() => void live.refetch()} />
    );
  }
  const vaults = data?.vaults ?? [];
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 print:hidden">
      <span className="text-muted">Figures of the fleet from</span>
      {vaults.length > 1 && (
        <span className="w-48">
          <Select
            aria-label="Vault"
            options={vaults.map(({ name, isSimulated }) => ({
              value: name,
              label: name,
              ...(isSimulated ? { hint: "simulated" } : {}),
            }))}
            value={data?.vault ?? vaults[0]?.name ?? ""}
            onValueChange={(vault) => void setChoice({ vault })}
          />
        </span>
      )}
      {vaults.length === 1 && <span className="font-medium text-ink">{vaults[0]?.name}</span>}
      {data !== undefined && vaults.length === 0 && <span className="text-ink">no vault yet</span>}
      <span className="w-40">
        <Select
          aria-label="Time of the fleet's figures"
          options={spanOptions}
          value={choice.span}
          onValueChange={(span) => void setChoice({ span })}
        />
      </span>
    </div>
  );
}
