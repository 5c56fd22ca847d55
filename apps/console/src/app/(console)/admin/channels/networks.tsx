"use client";
import type { OutboundNetworkRow } from "@stashlight/contracts/alert";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button, Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Network } from "lucide-react";
import { type FormEvent, useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { QueryTable } from "../../query-table.tsx";
import { networkColumns } from "./columns.tsx";

const tableOptions = { columns: networkColumns, prefix: "networks-" };

/**
 * Private and special networks that the console may connect to for messages, benchmarks and
 * sign-in.
 */
export function Networks() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const networks = useQuery(trpc.channel.listNetworks.queryOptions());
  const removal = useMutation(trpc.channel.removeNetwork.mutationOptions());
  const remove = ({ cidr }: OutboundNetworkRow) =>
    removal.mutate(
      { cidr },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries(trpc.channel.pathFilter());
          void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
        },
        onError: (error) =>
          toast({ title: `${cidr} was not removed`, description: describeError(error), status: "bad" }),
      },
    );
  return (
    <Section
      title="Allowed networks"
      description="Messages, benchmarks and requests to the identity provider are not sent to private networks, this machine, link-local or other special addresses, unless the network is listed here. The metadata service of a cloud needs an entry for its address alone."
    >
      <AllowForm />
      <QueryTable
        label="Allowed networks"
        rows={networks.data ?? []}
        rowKey={({ cidr }) => cidr}
        table={tableOptions}
        query={networks}
        what="The networks"
        empty={
          <EmptyState icon={<Network />} title="No allowed networks">
            To reach a receiver or an endpoint on this machine, allow 127.0.0.1/32. For one in your own
            network, allow its address or block, such as 192.168.1.0/24.
          </EmptyState>
        }
        rowActions={(network) => (
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Remove network ${network.cidr}`}
            onClick={() => remove(network)}
          >
            Remove network
          </Button>
        )}
        filterBox={false}
        skeletonRowCount={1}
      />
    </Section>
  );
}

function AllowForm() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [cidr, setCidr] = useState("");
  const allow = useMutation(trpc.channel.allowNetwork.mutationOptions());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (allow.isPending) return;
    allow.mutate(
      { cidr: cidr.trim() },
      {
        onSuccess: () => {
          setCidr("");
          void queryClient.invalidateQueries(trpc.channel.pathFilter());
          void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-wrap items-end gap-2">
      <Field
        label="Network"
        error={allow.isError ? describeError(allow.error) : undefined}
        className="w-full max-w-64"
      >
        <TextInput
          name="cidr"
          mono
          autoComplete="off"
          placeholder="127.0.0.1/32"
          value={cidr}
          onChange={(event) => setCidr(event.target.value)}
        />
      </Field>
      <Button type="submit" pending={allow.isPending}>
        Allow
      </Button>
    </form>
  );
}
