"use client";
import { type ApiTokenRow, apiScopeWords } from "@stashlight/contracts/api-token";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import { StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";

const tokenRights = ({ scopes }: ApiTokenRow): string =>
  scopes.map((scope) => apiScopeWords[scope]).join(", ");
const tokenState = ({ isExpired }: ApiTokenRow) =>
  isExpired
    ? ({ label: "expired", status: "unknown" } as const)
    : ({ label: "valid", status: "good" } as const);

const owner: Column<ApiTokenRow> = { id: "owner", header: "Owner", value: ({ owner }) => owner.email };

const columns: Column<ApiTokenRow>[] = [
  textColumn("name", "Name", ({ name }) => name, {
    hideable: false,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  }),
  textColumn("token", "Token", ({ lastCharacters }) => `…${lastCharacters}`, {
    cell: ({ lastCharacters }) => <span className="font-mono text-sm">…{lastCharacters}</span>,
  }),
  textColumn("state", "State", (token) => tokenState(token).label, {
    cell: (token) => <StatusDot {...tokenState(token)} />,
  }),
  textColumn("rights", "Rights", tokenRights, {
    cell: (token) => <span className="block min-w-48 whitespace-normal">{tokenRights(token)}</span>,
  }),
  timeColumn(
    "used",
    "Last used",
    ({ lastUsedAt }) => lastUsedAt,
    { show: "relative", missing: "never" },
    { title: "Last used, to within ten minutes", filterable: false },
  ),
  { id: "expires", header: "Expires", filterable: false, value: ({ expiresAt }) => expiresAt },
];

export const ownTokenColumns = columns;
/** The table of all tokens also shows their owners. */
export const allTokenColumns = [...columns.slice(0, 1), owner, ...columns.slice(1)];
