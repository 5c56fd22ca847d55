"use client";
import {
  type AccessKeyRow,
  accessKeyEffectSeconds,
  type IssuedAccessKey,
} from "@stashlight/contracts/access-key";
import { lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { NextStep } from "../../../../client/next-step.tsx";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryTable } from "../../query-table.tsx";
import { accessKeyColumns } from "./columns.tsx";
import { KeyMenu } from "./key-menu.tsx";

const IssuedDialog = lazyWhenOpen(async () => (await import("./issued-dialog.tsx")).IssuedDialog);
const KeyDialog = lazyWhenOpen(async () => (await import("./key-dialog.tsx")).KeyDialog);

const refetchMs = 10_000;
const tableOptions = { columns: accessKeyColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function AccessKeysPage() {
  const trpc = useTRPC();
  const list = useQuery(trpc.accessKey.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  const editor = useDialog<AccessKeyRow | "new">();
  const issued = useDialog<IssuedAccessKey>();
  return (
    <Page>
      <PageHeader
        title="Access keys"
        description={`S3 keys for the vaults. A key gives access to its owner's buckets only. A change takes effect within ${accessKeyEffectSeconds} s. Keys in a vault's file are not listed here.`}
        action={
          <Button
            variant="primary"
            icon={<Plus />}
            disabled={list.data === undefined}
            onClick={() => editor.show("new")}
          >
            New access key
          </Button>
        }
      />
      <QueryTable
        label="Access keys"
        rows={list.data?.keys ?? []}
        rowKey={(key) => key.id}
        table={tableOptions}
        query={list}
        what="The access keys"
        empty={
          <NextStep
            icon={<KeyRound />}
            title="No access keys in the console"
            step={{ label: "Create the first key", onTake: () => editor.show("new") }}
          >
            “New access key” creates one for an owner and shows its secret once. Until then only the keys in
            the vault's file are valid.
          </NextStep>
        }
        rowActions={(key) => <KeyMenu accessKey={key} onEdit={editor.show} onIssued={issued.show} />}
        exportName="access-keys"
        skeletonRowCount={3}
      />
      {renderDialog(editor, (subject, shown) => (
        <KeyDialog
          accessKey={subject === "new" ? null : subject}
          vaults={list.data?.vaults ?? []}
          {...shown}
          onIssued={issued.show}
        />
      ))}
      {renderDialog(issued, (subject, shown) => (
        <IssuedDialog issued={subject} {...shown} />
      ))}
    </Page>
  );
}
