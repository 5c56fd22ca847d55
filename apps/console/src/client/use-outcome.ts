"use client";
import { useToast } from "@stashlight/ui/toast";
import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { describeError } from "./errors.ts";

interface Outcome {
  done: string;
  description?: string;
  failed: string;
}

/**
 * Shows an action's outcome in a toast, and refreshes `shown`, which may have changed even if the
 * action failed.
 */
export function useOutcome(...shown: QueryFilters[]) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return ({ done, description, failed }: Outcome) => ({
    onSuccess: () =>
      toast({ title: done, status: "good", ...(description === undefined ? {} : { description }) }),
    onError: (error: unknown) => toast({ title: failed, description: describeError(error), status: "bad" }),
    onSettled: () => {
      for (const filter of shown) void queryClient.invalidateQueries(filter);
    },
  });
}
