"use client";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import type { TestedEndpoint } from "./use-check.ts";

/**
 * Registers an endpoint under a second name and opens a new schedule of both, which shows how large differences from
 * noise alone are.
 */
export function useMeasureTwice(): (endpoint: TestedEndpoint) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const duplicate = useMutation(trpc.endpoint.duplicate.mutationOptions());
  return ({ id }) =>
    duplicate.mutate(
      { endpointId: id },
      {
        onSuccess: ({ endpointId }) => {
          void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
          router.push(`/benchmarks?compare=${id},${endpointId}`);
        },
        onError: (error) => toast({ title: describeError(error), status: "bad" }),
      },
    );
}
