"use client";
import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import { StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { keyScope, keyState, permissionWords } from "./key-labels.ts";

export const accessKeyColumns: Column<AccessKeyRow>[] = [
  textColumn("name", "Name", ({ name }) => name, {
    hideable: false,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  }),
  textColumn("state", "State", (key) => keyState(key).label, {
    cell: (key) => {
      const { label, status } = keyState(key);
      return <StatusDot status={status} label={label} />;
    },
  }),
  { id: "owner", header: "Owner", value: ({ owner }) => owner },
  { id: "vault", header: "Vault", value: ({ vault }) => vault },
  textColumn("key", "Access key", ({ accessKeyId }) => accessKeyId, {
    cell: ({ accessKeyId }) => <span className="font-mono text-sm">{accessKeyId}</span>,
  }),
  textColumn("secret", "Secret", ({ secretHint }) => secretHint, {
    cell: ({ secretHint }) => <span className="font-mono text-sm">…{secretHint}</span>,
  }),
  { id: "permission", header: "Permission", value: ({ permission }) => permissionWords[permission] },
  textColumn("buckets", "Buckets", keyScope, {
    cell: (key) => <span className="block min-w-32 whitespace-normal">{keyScope(key)}</span>,
  }),
  { id: "by", header: "Created by", hiddenAtFirst: true, value: ({ createdBy }) => createdBy },
  timeColumn(
    "since",
    "Secret since",
    ({ secretSince }) => secretSince,
    { show: "relative" },
    { filterable: false },
  ),
];
