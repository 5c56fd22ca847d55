"use client";
import type { IssuedEnrolmentToken, NodeRole } from "@stashlight/contracts/node";
import { CodeBlock, Time } from "@stashlight/ui/data";
import { Callout, Spinner } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import type { ReactNode } from "react";
import { installCommand, isOfVault, telemetrySetting } from "../../../../client/nodes.ts";
import { SecretDialog } from "../../secret-dialog.tsx";
import { NodeStateChip } from "./node-state.tsx";
import { useApprove } from "./use-approve.ts";
import { type ListedNode, useNodes } from "./use-nodes.ts";

interface EnrolmentProgressProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  issued: IssuedEnrolmentToken;
  role: NodeRole;
  useCountMax: number;
}

const watchEveryMs = 1_000;

/** Command for the machine, with live progress: enrolled, approved, reporting. */
export function EnrolmentProgress({ open, onOpenChange, issued, role, useCountMax }: EnrolmentProgressProps) {
  const { rows } = useNodes({ everyMs: watchEveryMs });
  const { approve, isPending } = useApprove();
  const nodes = rows.filter(({ enrolmentTokenId }) => enrolmentTokenId === issued.tokenId);
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={useCountMax === 1 ? `Enrol a ${role} node` : `Enrol ${useCountMax} ${role} nodes`}
      description={
        role === "host"
          ? "Run this on the machine, in Stashlight's folder. FOLDER is on the drive whose syncs are timed; give --fsync once per drive, or leave it out. As root, the agent also reads SMART."
          : "Run this on the machine, in Stashlight's folder, with the node's own name."
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock label="command" code={installCommand({ ...issued, role })} />
        {isOfVault(role) && (
          <div className="flex flex-col gap-2">
            <p className="text-muted">Add the ingest to the vault's file, if it is not there yet:</p>
            <CodeBlock label="vault.json" code={telemetrySetting(issued.ingestUrl)} />
          </div>
        )}
        <p className="text-sm text-warning">
          The token is shown once and works until <Time value={issued.expiresAt} />. Anyone who has it can
          enrol a node.
        </p>
        <div aria-live="polite" className="flex flex-col gap-2">
          {nodes.map((node) => (
            <EnrolledNode
              key={node.id}
              node={node}
              action={
                node.status === "pending" && (
                  <Button size="sm" variant="primary" pending={isPending} onClick={() => approve(node)}>
                    Approve
                  </Button>
                )
              }
            />
          ))}
          {nodes.length < useCountMax && (
            <p className="flex items-center gap-2 py-1 text-muted">
              <Spinner />
              {nodes.length === 0
                ? "Waiting for the first heartbeat"
                : `${nodes.length} of ${useCountMax} have enrolled; waiting for the others`}
            </p>
          )}
        </div>
      </div>
    </SecretDialog>
  );
}

function EnrolledNode({ node, action }: { node: ListedNode; action: ReactNode }) {
  const isHere = node.state === "reporting";
  return (
    <Callout status={isHere ? "good" : "info"} title={node.name} {...(action ? { action } : {})}>
      <NodeStateChip state={node.state} />
      {node.lastSeenAt !== null && (
        <>
          {" · last seen "}
          <Time value={node.lastSeenAt} show="age" />
        </>
      )}
    </Callout>
  );
}
