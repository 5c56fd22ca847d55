"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { CloudUpload, Plus } from "lucide-react";
import { NextStep } from "../../../../client/next-step.tsx";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { type DialogState, useDialog } from "../../../../client/use-dialog.ts";
import { QueryTable } from "../../query-table.tsx";
import { deniedStaleMs } from "../channels/denied-address.ts";
import { endpointColumns } from "./columns.tsx";
import { EndpointMenu } from "./endpoint-menu.tsx";
import { useCheck } from "./use-check.ts";

const DeniedDestinations = lazyPart(async () => (await import("../channels/denied.tsx")).DeniedDestinations);
const Networks = lazyPart(async () => (await import("../channels/networks.tsx")).Networks);
const CheckDialog = lazyPart(async () => (await import("./check-dialog.tsx")).CheckDialog);
const EndpointDialog = lazyWhenOpen(async () => (await import("./endpoint-dialog.tsx")).EndpointDialog);
const RotateDialog = lazyWhenOpen(async () => (await import("./rotate-dialog.tsx")).RotateDialog);

/** An endpoint to edit, or null for a new one, optionally as a copy of another. */
interface EditorSubject {
  endpoint: EndpointRow | null;
  like?: EndpointRow;
}

const tableOptions = { columns: endpointColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function EndpointsPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.endpoint.list.queryOptions());
  const denied = useQuery(trpc.endpoint.listDenied.queryOptions(undefined, { staleTime: deniedStaleMs }));
  const editor = useDialog<EditorSubject>();
  const rotation = useDialog<EndpointRow>();
  const check = useCheck();
  const addLike = (like: EndpointRow) => {
    check.dialog.setOpen(false);
    editor.show({ endpoint: null, like });
  };
  const isAdmin = roleIncludes(role, "admin");
  return (
    <Page>
      <PageHeader
        title="Endpoints"
        description="Object stores that benchmarks upload to. A schedule measures several of them side by side."
        action={
          isAdmin && (
            <Button variant="primary" icon={<Plus />} onClick={() => editor.show({ endpoint: null })}>
              New endpoint
            </Button>
          )
        }
      />
      <QueryTable
        label="Endpoints"
        rows={endpoints.data ?? []}
        rowKey={(endpoint) => endpoint.id}
        table={tableOptions}
        query={endpoints}
        what="The endpoints"
        empty={<NoEndpoints role={role} onAdd={() => editor.show({ endpoint: null })} />}
        rowActions={(endpoint) => (
          <EndpointMenu
            endpoint={endpoint}
            isAdmin={isAdmin}
            onTest={check.start}
            onEdit={(edited) => editor.show({ endpoint: edited })}
            onRotate={rotation.show}
          />
        )}
        exportName="endpoints"
        skeletonRowCount={2}
      />
      <DeniedDestinations
        denied={denied}
        what="endpoint"
        canAllow={isAdmin}
        fallback={<Skeleton height={0} />}
      />
      {isAdmin && <Networks />}
      <FormDialogs editor={editor} rotation={rotation} onSaved={check.start} />
      {check.dialog.subject !== null && (
        <CheckDialog
          {...check}
          subject={check.dialog.subject}
          isAdmin={isAdmin}
          endpoints={endpoints.data ?? []}
          onAdd={addLike}
        />
      )}
    </Page>
  );
}

interface FormDialogsProps {
  readonly editor: DialogState<EditorSubject>;
  readonly rotation: DialogState<EndpointRow>;
  readonly onSaved: ReturnType<typeof useCheck>["start"];
}

function FormDialogs({ editor, rotation, onSaved }: FormDialogsProps) {
  return (
    <>
      {renderDialog(editor, (subject, shown) => (
        <EndpointDialog {...subject} {...shown} onCreated={onSaved} />
      ))}
      {renderDialog(rotation, (subject, shown) => (
        <RotateDialog endpoint={subject} {...shown} onRotated={onSaved} />
      ))}
    </>
  );
}

function NoEndpoints({ role, onAdd }: { role: Role; onAdd: () => void }) {
  return (
    <NextStep
      icon={<CloudUpload />}
      title="No endpoints yet"
      step={{ label: "Add the first endpoint", onTake: onAdd }}
      needs={{ role: "admin", own: role }}
    >
      Create a bucket at Backblaze B2 or Amazon S3, and an access key that can list, read, write and delete in
      it. Then add it here, and test it.
    </NextStep>
  );
}
