"use client";
import { ebsTypeNames } from "@stashlight/devices/ebs";
import { formatCount } from "@stashlight/ui";
import { DefinitionList } from "@stashlight/ui/data";
import { StatusDot } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { useMemo } from "react";
import { useLastGood } from "./use-last-good.ts";
import {
  formatBurst,
  formatRate,
  formatShare,
  formatTime,
  formatUsd,
  formatVolume,
  type VolumeAnswer,
} from "./volume-answer.ts";
import { creditsFigure, servedFigure } from "./volume-figures.ts";
import { formatMonth } from "./volume-form.ts";

/** Result of a single volume under the demand. */
export function VolumeResult({ answer, place }: { answer: VolumeAnswer | null; place: number }) {
  const { value, isOld } = useLastGood(answer);
  if (value === null) return <p className="text-muted">No answer yet: correct the marked fields.</p>;
  return <Result answer={value} isOld={isOld} place={place} />;
}

function Result({ answer, isOld, place }: { answer: VolumeAnswer; isOld: boolean; place: number }) {
  const served = useMemo(() => servedFigure(answer), [answer]);
  const credits = useMemo(() => creditsFigure(answer), [answer]);
  const name = ebsTypeNames[answer.volume.type];
  const file = `${answer.volume.type}-${answer.volume.sizeGiB}-gib`;
  return (
    <>
      {isOld && (
        <p className="rounded-sm bg-warning-soft px-2 py-1 text-ink">
          The last answer stays until the marked fields are corrected: {formatVolume(answer.volume)}.
        </p>
      )}
      <Verdict answer={answer} />
      <FigurePanel
        title={`Does volume ${place}, ${name}, keep up?`}
        metric="I/Os per second, requested and served"
        figure={served}
        source="computed in this page"
        exportName={`served-${file}`}
      />
      {answer.rates.bucketCredits > 0 && (
        <FigurePanel
          title={`How long do the credits of volume ${place} last?`}
          metric="share of the bucket, which begins full"
          figure={credits}
          source={
            answer.rates.isBucketInferred
              ? "the bucket's size is inferred from refill times; AWS publishes none"
              : `bucket of ${formatCount(answer.rates.bucketCredits)} I/Os`
          }
          exportName={`credits-${file}`}
          heightPx={140}
        />
      )}
      <Facts answer={answer} />
    </>
  );
}

function Verdict({ answer: { served } }: { answer: VolumeAnswer }) {
  const { throttledSeconds, seconds } = served;
  if (throttledSeconds === 0) return <StatusDot status="good" label="Carries the demand at all times" />;
  const label = `Throttled for ${formatTime(throttledSeconds)}, ${formatShare(throttledSeconds / seconds)} of the time`;
  return <StatusDot status={throttledSeconds < seconds / 2 ? "warning" : "bad"} label={label} />;
}

function Facts({ answer }: { answer: VolumeAnswer }) {
  const { served, limits, price, rates, monthlyUsd, whenThrottled } = answer;
  const unit = rates.credit === "io" ? "I/Os" : "MiB";
  const notDone =
    whenThrottled === "drop"
      ? { term: "Dropped", value: `${formatCount(served.droppedIos)} I/Os` }
      : {
          term: "Waiting",
          value: `${formatCount(served.queuedIosAtEnd)} I/Os at the end, ${formatCount(served.queuedIosMax)} at most`,
        };
  const creditItems =
    rates.bucketCredits === 0
      ? []
      : [
          {
            term: "Credits run out",
            value:
              served.emptyAtSeconds === null
                ? "not in this period"
                : `after ${formatTime(served.emptyAtSeconds)}`,
          },
          {
            term: "Credits at the end",
            value: `${formatCount(served.creditsEnd)} ${unit} of ${formatCount(rates.bucketCredits)}`,
          },
        ];
  return (
    <DefinitionList
      items={[
        { term: "Monthly cost", value: monthlyUsd === null ? "price unknown" : formatUsd(monthlyUsd) },
        {
          term: "Done",
          value: `${formatShare(served.demandedIos === 0 ? 1 : served.servedIos / served.demandedIos)} of ${formatCount(served.demandedIos)} I/Os`,
        },
        notDone,
        ...creditItems,
        { term: "From a full bucket", value: formatBurst(answer) },
        { term: "Throughput", value: `${formatRate(rates.throughputMiBpsMax)} MiB/s at most` },
        { term: "Limits since", value: <Dated validFrom={limits.validFrom} source={limits.source} /> },
        {
          term: "Price since",
          value: price === null ? "–" : <Dated validFrom={price.validFrom} source={price.source} />,
        },
      ]}
    />
  );
}

function Dated({ validFrom, source }: { validFrom: string; source: string }) {
  return (
    <>
      {formatMonth(validFrom)} <span className="text-sm text-faint">{source}</span>
    </>
  );
}
