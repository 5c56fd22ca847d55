"use client";
import type { DeniedDestination } from "@stashlight/contracts/alert";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { addressAlone, deniedTitle } from "./denied-address.ts";

/** Lists blocked destinations and how to allow their networks; renders nothing when there are none. */
export function DeniedDestinations(props: {
  denied: UseQueryResult<DeniedDestination[], unknown>;
  what: "channel" | "endpoint";
  /** True for admins, whose page also has the section "Allowed networks". */
  canAllow: boolean;
}) {
  const { denied, what, canAllow } = props;
  if (denied.isPending) return <Skeleton height={0} />;
  const destinations = denied.data ?? [];
  if (destinations.length === 0) return null;
  return (
    <Callout status="warning" title={deniedTitle(destinations.length, what)}>
      <p>
        Nothing is sent to private and other special networks unless an admin allows them.{" "}
        {canAllow
          ? "Allow each address here, or a whole network under Allowed networks below."
          : "Ask an admin to allow the networks on this page."}
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {destinations.map(({ id, name, address, network, kind }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0">
              <span className="font-medium text-ink">{name}</span> is at{" "}
              <code className="font-mono text-sm">{address}</code>, which belongs to {kind} ({network}).
            </span>
            {canAllow && <AllowButton cidr={addressAlone(address)} />}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function AllowButton({ cidr }: { cidr: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const allow = useMutation(trpc.channel.allowNetwork.mutationOptions());
  const submit = () =>
    allow.mutate(
      { cidr },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries(trpc.channel.pathFilter());
          void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
        },
        onError: (error) =>
          toast({ title: `${cidr} is not allowed yet`, description: describeError(error), status: "bad" }),
      },
    );
  return (
    <Button size="sm" pending={allow.isPending} onClick={submit}>
      Allow {cidr}
    </Button>
  );
}
