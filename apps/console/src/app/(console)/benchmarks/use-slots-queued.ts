import { useToast } from "@stashlight/ui/toast";
import { describeError } from "../../../client/errors.ts";

/** Reports how many slots were queued, or why none was. */
export function useSlotsQueued() {
  const toast = useToast();
  return {
    onSuccess: ({ queuedCount, reason }: { queuedCount: number; reason: string | null }) =>
      toast({
        title: queuedCount === 1 ? "1 slot queued" : `${queuedCount} slots queued`,
        description: reason ?? "They run one after the other; cancel them on the schedule's page.",
        status: reason === null ? "good" : "warning",
      }),
    onError: (error: unknown) =>
      toast({ title: "No slot was queued", description: describeError(error), status: "bad" }),
  };
}
