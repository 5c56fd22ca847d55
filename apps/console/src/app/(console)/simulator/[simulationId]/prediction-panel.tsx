"use client";
import type { ApiOutputs } from "@stashlight/api";
import type { MeasuredUploads } from "@stashlight/contracts/planner";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatCount, formatDateTime, MISSING, serverNow } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { FormError } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { comparePrediction, ERROR_PERCENT_GOAL, type Verdict, verdictOn } from "../prediction.ts";
import type { ScenarioResult } from "../result-charts.ts";
import { Figures, percent } from "./tables.tsx";

type Simulation = ApiOutputs["simulation"]["get"];
type Latency = NonNullable<ScenarioResult["stash"]>;

export function Prediction({ simulation, result }: { simulation: Simulation; result: ScenarioResult }) {
  const { measured } = simulation;
  const { stash } = result;
  if (measured === null || stash === null) {
    return (
      <p className="text-muted">
        {measured === null
          ? "This scenario does not use figures of the live vault. Fill in its figures to compare the result with it."
          : "No upload was acknowledged through the stash in this scenario."}
      </p>
    );
  }
  return <AgainstSomeTime measured={measured} stash={stash} />;
}

const TIMES = [
  { value: "figures", label: "the period of its figures" },
  { value: "15", label: "the last 15 minutes" },
  { value: "60", label: "the last hour" },
] as const;

/**
 * Compares the result with measurements of a time that the reader chooses: a prediction should also hold for a load
 * whose figures it did not use.
 */
function AgainstSomeTime({ measured, stash }: { measured: MeasuredUploads; stash: Latency }) {
  const trpc = useTRPC();
  const [choice, setChoice] = useState<string>("figures");
  const [range, setRange] = useState({ fromMs: measured.fromMs, toMs: measured.toMs });
  const choose = (value: string) => {
    setChoice(value);
    const toMs = serverNow();
    if (value !== "figures") setRange({ fromMs: toMs - Number(value) * MINUTE_MS, toMs });
  };
  const isOther = choice !== "figures";
  const live = useQuery(trpc.simulation.liveVault.queryOptions(range, { enabled: isOther }));
  const against = isOther ? (live.data?.uploads ?? null) : measured;
  return (
    <div className="flex flex-col gap-3">
      <div className="w-72 max-w-full">
        <Select aria-label="Compared with" options={TIMES} value={choice} onValueChange={choose} />
      </div>
      {isOther && live.isError && <FormError>{describeError(live.error)}</FormError>}
      {against !== null && <Comparison measured={against} stash={stash} />}
      {isOther && live.isSuccess && against === null && (
        <p className="text-muted">No upload through the stash was measured in this time range.</p>
      )}
    </div>
  );
}

const said: Record<Verdict, { status: "good" | "info" | "warning"; text: string }> = {
  within: { status: "good", text: `Within ${ERROR_PERCENT_GOAL} %.` },
  open: {
    status: "info",
    text: `Not within ${ERROR_PERCENT_GOAL} %, but the measurement is too uncertain to confirm the error.`,
  },
  outside: { status: "warning", text: `Not within ${ERROR_PERCENT_GOAL} %.` },
};

function Comparison({ measured, stash }: { measured: MeasuredUploads; stash: Latency }) {
  const rows = comparePrediction(stash, measured);
  const { status, text } = said[verdictOn(rows)];
  const { sampleCount, fromMs, toMs, modelled } = measured;
  const perSecond = sampleCount / ((toMs - fromMs) / 1000);
  return (
    <>
      <Figures
        label="Prediction beside measurement"
        head={["Upload through the stash", "Predicted", "Measured", "95 % interval", "Error", "Error, 95 %"]}
        rows={rows.map((row) => [
          row.name,
          ms(row.predictedMs),
          row.measuredMs === null ? "needs 1,000 samples" : ms(row.measuredMs),
          row.interval === null ? MISSING : `${ms(row.interval.lowMs)} to ${ms(row.interval.highMs)}`,
          row.errorPercent === null ? MISSING : percent(row.errorPercent),
          row.errorRangePercent === null ? MISSING : row.errorRangePercent.map(percent).join(" to "),
        ])}
      />
      <Callout status={status}>
        {text} Predicted from n {formatCount(stash.sampleCount)}; measured on n {formatCount(sampleCount)},{" "}
        {perSecond.toPrecision(2)} per second, from {formatDateTime(fromMs)} to {formatDateTime(toMs)}
        {modelled.length > 0 && `, on modelled drives (${modelled.join(", ")})`}. The simulation runs neither
        HTTP nor hashing nor encoding: their time is an input, and so is the correlation of an upload’s shard
        delays. In it, uploads do not slow each other’s processes down. A pause of a stash server’s process is
        modelled as a stall at random moments, or is part of the measured messages.
      </Callout>
    </>
  );
}

const ms = (value: number): string => `${value.toPrecision(3)} ms`;
