"use client";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useToast } from "@stashlight/ui/toast";
import { type QueryFilters, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { describeError } from "../../../client/errors.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useDialog } from "../../../client/use-dialog.ts";
import { QueryTable } from "../query-table.tsx";

interface RevocableTableProps<Row> {
  title: string;
  description: string;
  label: string;
  columns: Column<Row>[];
  /** Prefix of the table's URL parameters. */
  prefix: string;
  query: UseQueryResult<Row[], unknown>;
  /** Names the rows in a message: "The invitations". */
  what: string;
  empty: ReactNode;
  /** Object of the confirmation question: "the invitation of ada@example.org". */
  nameOf: (row: Row) => string;
  consequenceOf: (row: Row) => string;
  confirmLabel: string;
  revoke: (row: Row) => Promise<unknown>;
  /** Reloads after a revocation. */
  shown: QueryFilters;
  /** Success message. */
  doneOf: (row: Row) => { title: string; description: string };
}

/** Links or tokens that were issued and can still be used, with an action to revoke each. */
export function RevocableTable<Row extends { id: string }>(props: RevocableTableProps<Row>) {
  const { title, description, label, columns, prefix, query, what, empty, nameOf } = props;
  const dialog = useDialog<Row>();
  return (
    <Section title={title} description={description}>
      <QueryTable
        label={label}
        table={{ columns, prefix }}
        rows={query.data ?? []}
        rowKey={({ id }) => id}
        query={query}
        what={what}
        empty={empty}
        rowActions={(row) => (
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Revoke ${nameOf(row)}`}
            onClick={() => dialog.show(row)}
          >
            Revoke
          </Button>
        )}
        filterBox={false}
        skeletonRowCount={2}
      />
      {renderDialog(dialog, (subject, shown) => (
        <RevokeDialog {...props} row={subject} {...shown} />
      ))}
    </Section>
  );
}

type RevokeDialogProps<Row> = Pick<
  RevocableTableProps<Row>,
  "nameOf" | "consequenceOf" | "confirmLabel" | "revoke" | "shown" | "doneOf"
> & { row: Row; open: boolean; onOpenChange: (open: boolean) => void };

function RevokeDialog<Row>(props: RevokeDialogProps<Row>) {
  const { row, open, onOpenChange, nameOf, consequenceOf, confirmLabel, revoke, shown, doneOf } = props;
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke ${nameOf(row)}?`}
      consequence={consequenceOf(row)}
      confirmLabel={confirmLabel}
      describeError={describeError}
      onConfirm={async () => {
        await revoke(row);
        await queryClient.invalidateQueries(shown);
        toast({ ...doneOf(row), status: "good" });
      }}
    />
  );
}
