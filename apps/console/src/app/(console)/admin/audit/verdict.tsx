"use client";
import type { AuditVerification } from "@stashlight/contracts/audit";
import { formatCount } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, ProgressBar } from "@stashlight/ui/feedback";
import type { ReactNode } from "react";
import { formatDuration } from "../../../../client/duration.ts";
import { describeError } from "../../../../client/errors.ts";

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Shows whether the chain of audit events is intact, and what was checked. */
function Verdict({ verification }: { verification: AuditVerification }) {
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

interface Verification {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly data: AuditVerification | undefined;
}

/** Progress and result of a verification. */
export function VerificationState({ verify }: { verify: Verification }): ReactNode {
  if (verify.isPending) {
    return (
      <ProgressBar
        label="Verifying the chain"
        value={null}
        detail="every event is read, hashed again and compared with the seals"
      />
    );
  }
  if (verify.isError) {
    return (
      <Callout status="bad" title="The chain could not be verified">
        {describeError(verify.error)}
      </Callout>
    );
  }
  return verify.data === undefined ? null : <Verdict verification={verify.data} />;
}
