"use client";
import type { AuditVerification } from "@stashlight/contracts/audit";
import { formatCount } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { formatDuration } from "../../../../client/duration.ts";

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Tells whether the chain of audit events is intact, and what was read to know it. */
export function Verdict({ verification }: { verification: AuditVerification }) {
  const {
    state,
    sentence,
    eventsChecked,
    sealedDays,
    brokenAtSequence,
    fileSealCount,
    checkedAt,
    durationMs,
  } = verification;
  const extent = [
    counted(eventsChecked, "event", "events"),
    counted(sealedDays, "sealed day", "sealed days"),
    fileSealCount === null
      ? "no seal file on this machine"
      : `${counted(fileSealCount, "line", "lines")} of the seal file`,
  ].join(", ");
  if (state === "broken") {
    return (
      <Callout
        status="bad"
        title={
          brokenAtSequence === null
            ? "The chain is broken"
            : `The chain is broken at event ${brokenAtSequence}`
        }
      >
        <p>{sentence}</p>
        <p>
          {extent} checked in {formatDuration(durationMs)} · <Time value={checkedAt} />
        </p>
      </Callout>
    );
  }
  return (
    <Callout status="good" title="The chain is intact">
      Every event follows from the one before it, and none is missing at the end · {extent} ·{" "}
      {formatDuration(durationMs)} · <Time value={checkedAt} />
    </Callout>
  );
}
