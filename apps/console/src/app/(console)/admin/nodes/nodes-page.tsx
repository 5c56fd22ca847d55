"use client";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { Server, ServerCog } from "lucide-react";
import type { ReactNode } from "react";
import { NextStep } from "../../../../client/next-step.tsx";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryTable } from "../../query-table.tsx";
import { nodeColumns } from "./columns.tsx";
import type { NodeDialogSubject } from "./node-dialog.tsx";
import { NodeMenu } from "./node-menu.tsx";
import { useNodes } from "./use-nodes.ts";

const Tokens = lazyPart(async () => (await import("./tokens.tsx")).Tokens);
const NodeDialog = lazyWhenOpen(async () => (await import("./node-dialog.tsx")).NodeDialog);
const EnrolDialog = lazyWhenOpen(async () => (await import("./enrol-dialog.tsx")).EnrolDialog);

const tableOptions = { columns: nodeColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function NodesPage({ description }: { description: ReactNode }) {
  const trpc = useTRPC();
  const { query: nodes, rows } = useNodes();
  const tokens = useQuery(trpc.node.listTokens.queryOptions());
  const enrol = useDialog<true>();
  const dialog = useDialog<NodeDialogSubject>();
  const enrolButton = (
    <Button variant="primary" icon={<ServerCog />} onClick={() => enrol.show(true)}>
      Enrol nodes
    </Button>
  );
  return (
    <Page>
      <PageHeader title="Nodes" description={description} action={enrolButton} />
      <QueryTable
        label="Nodes"
        rows={rows}
        rowKey={(node) => node.id}
        table={tableOptions}
        query={nodes}
        what="The nodes"
        empty={
          <NextStep
            icon={<Server />}
            title="No nodes enrolled"
            step={{ label: "Enrol the first node", onTake: () => enrol.show(true) }}
          >
            Select “Enrol nodes” to create a token and the command that starts an agent with it. The node then
            appears here, and its measurements on every page.
          </NextStep>
        }
        rowActions={(node) => <NodeMenu node={node} onChoose={dialog.show} />}
        exportName="nodes"
        skeletonRowCount={4}
      />
      {/* Waits for the nodes, because the number of rows above determines its position. */}
      {!nodes.isPending && <Tokens tokens={tokens} />}
      {renderDialog(enrol, (_, shown) => (
        <EnrolDialog {...shown} vault={rows[0]?.vault ?? "main"} />
      ))}
      {renderDialog(dialog, (subject, shown) => (
        <NodeDialog subject={subject} {...shown} />
      ))}
    </Page>
  );
}
