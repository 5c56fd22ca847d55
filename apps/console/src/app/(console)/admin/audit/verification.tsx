"use client";
import { lazyPart } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../../../client/trpc.tsx";

// Loads on first use.
const VerificationState = lazyPart(async () => (await import("./verdict.tsx")).VerificationState);

/**
 * A button that verifies the chain, and the result. `onDone` runs afterwards, because the
 * verification itself adds an audit event.
 */
export function useVerification(onDone: () => void): { button: ReactNode; result: ReactNode } {
  const trpc = useTRPC();
  const verify = useMutation(trpc.audit.verify.mutationOptions());
  const button = (
    <Button
      variant="primary"
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
        {verify.isIdle ? null : <VerificationState verify={verify} />}
      </div>
    ),
  };
}
