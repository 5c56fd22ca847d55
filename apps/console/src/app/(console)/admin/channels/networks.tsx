"use client";
import type { OutboundNetworkRow } from "@stashlight/contracts";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button, Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Network } from "lucide-react";
import { type FormEvent, useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTableState } from "../../../../client/url-state.ts";
import { QueryError } from "../../query-state.tsx";
import { networkColumns } from "./columns.tsx";

const tableOptions = { columns: networkColumns, prefix: "networks-" };

/** Where messages may go although it is this machine or its link. */
export function Networks() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const networks = useQuery(trpc.channel.listNetworks.queryOptions());
  const deny = useMutation(trpc.channel.denyNetwork.mutationOptions());
  const [state, setState] = useTableState(tableOptions);
  const hasFailed = networks.isError && networks.data === undefined;
  const remove = ({ cidr }: OutboundNetworkRow) =>
    deny.mutate(
      { cidr },
      {
        onSuccess: () => void queryClient.invalidateQueries(trpc.channel.pathFilter()),
        onError: (error) =>
          toast({ title: `${cidr} stays allowed`, description: describeError(error), status: "bad" }),
      },
    );
  return (
    <Section
      title="Allowed networks"
      description="Messages and benchmarks never go to this machine, its link or the metadata services of clouds, unless the network is listed here."
    >
      <AllowForm />
      <DataTable
        label="Allowed networks"
        columns={networkColumns}
        rows={networks.data ?? []}
        rowKey={({ cidr }) => cidr}
        state={state}
        onStateChange={setState}
        status={networks.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={
          <QueryError what="The networks" error={networks.error} onRetry={() => void networks.refetch()} />
        }
        empty={
          <EmptyState icon={<Network />} title="None is allowed">
            For a receiver or an endpoint on this machine, allow 127.0.0.1/32.
          </EmptyState>
        }
        rowActions={(network) => (
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Deny ${network.cidr}`}
            onClick={() => remove(network)}
          >
            Deny
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
