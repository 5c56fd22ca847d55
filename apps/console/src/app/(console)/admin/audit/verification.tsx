"use client";
import type { AuditVerification } from "@stashlight/contracts/audit";
import { lazyPart } from "@stashlight/ui";
import { Callout, ProgressBar } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

// Comes with the first answer.
const Verdict = lazyPart(async () => (await import("./verdict.tsx")).Verdict);

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
