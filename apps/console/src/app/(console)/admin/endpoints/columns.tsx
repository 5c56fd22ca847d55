"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { endpointState, newestTest } from "./endpoint-labels.ts";
import { kindWords } from "./kind-words.ts";

const accessKeyLabel = ({ accessKeyId, secretHint }: EndpointRow) =>
  accessKeyId === null ? null : `${accessKeyId} / …${secretHint ?? ""}`;

export const endpointColumns: Column<EndpointRow>[] = [
  {
    id: "name",
    header: "Name",
    hideable: false,
    value: (endpoint) => endpoint.name,
    cell: ({ name, isBuiltIn, label }) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{name}</span>
        {isBuiltIn && <Badge>built in</Badge>}
        {label === "modelled" && <Badge>modelled drives</Badge>}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    value: (endpoint) => endpointState(endpoint).label,
    cell: (endpoint) => {
      const { label, status } = endpointState(endpoint);
      return <StatusDot status={status} label={label} />;
    },
  },
  {
    id: "tested",
    header: "Tested",
    filterable: false,
    value: (endpoint) => newestTest(endpoint)?.testedAt ?? null,
    cell: (endpoint) => <Time value={newestTest(endpoint)?.testedAt} show="age" missing="never" />,
  },
  {
    id: "sentence",
    header: "Test result",
    sortable: false,
    value: (endpoint) => newestTest(endpoint)?.sentence,
    cell: (endpoint) => (
      <span className="block min-w-40 whitespace-normal">{newestTest(endpoint)?.sentence ?? "–"}</span>
    ),
  },
  { id: "kind", header: "Kind", hiddenAtFirst: true, value: ({ kind }) => kindWords[kind] },
  textColumn("address", "Address", ({ url }) => url, {
    cell: ({ url }) => <span className="block max-w-52 truncate font-mono text-sm">{url}</span>,
  }),
  { id: "region", header: "Region", hiddenAtFirst: true, value: ({ region }) => region },
  textColumn("bucket", "Bucket", ({ bucket, prefix }) => (prefix === "" ? bucket : `${bucket}/${prefix}`)),
  textColumn("key", "Access key", accessKeyLabel, {
    cell: (endpoint) => (
      <span className="block max-w-24 truncate font-mono text-sm">{accessKeyLabel(endpoint) ?? "–"}</span>
    ),
  }),
  textColumn("prices", "Prices as of", ({ priceList }) => priceList?.asOf, {
    title: "Date of the price list",
    hiddenAtFirst: true,
    cell: ({ priceList }) => priceList?.asOf ?? <span className="text-faint">none</span>,
  }),
  numberColumn("plans", "Schedules", ({ planCount }) => planCount),
];
