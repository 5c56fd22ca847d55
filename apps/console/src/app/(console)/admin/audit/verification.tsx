"use client";
import type { AuditVerification } from "@stashlight/contracts/audit";
import { formatCount } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, ProgressBar } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { formatDuration } from "../../../../client/duration.ts";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

/** The button that has the chain recomputed, and what came of it. `onDone` runs when it was: it is an event itself. */
export function useVerification(onDone: () => void): { button: ReactNode; result: ReactNode } {
  const trpc = useTRPC();
  const verify = useMutation(trpc.audit.verify.mutationOptions());
  const button = (
    <Button
      variant="primary"
      icon={<ShieldCheck />}
      pending={verify.isPending}
      onClick={() => verify.mutate(undefined, { onSuccess: onDone })}
    >
      Verify chain
    </Button>
  );
  return {
    button,
    result: (
      <div role="status" className="not-empty:mb-6">
        {describe(verify)}
      </div>
    ),
  };
}

function describe(verify: {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  data: AuditVerification | undefined;
}): ReactNode {
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

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

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
