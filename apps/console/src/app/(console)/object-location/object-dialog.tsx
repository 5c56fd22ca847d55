"use client";
import { type ObjectName, objectQuestionOpenMs } from "@stashlight/contracts/object-location";
import { Dialog } from "@stashlight/ui/dialog";
import { EmptyState, ErrorState, Spinner } from "@stashlight/ui/feedback";
import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useEffect } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { VaultAnswer } from "./vault-answer.tsx";

interface ObjectDialogProps {
  readonly object: ObjectName;
  readonly mayAsk: boolean;
  readonly onClose: () => void;
}

const ASK_EVERY_MS = 1_000;

/** Shows where an object's shards are now, as each vault reports. */
export function ObjectDialog({ object, mayAsk, onClose }: ObjectDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`Where are the shards of ${object.bucket}/${object.key}?`}
      description="The coordinator of each vault asks its pods and its stash."
    >
      {mayAsk ? (
        <Answers object={object} onLeave={onClose} />
      ) : (
        <EmptyState icon={<Lock />} title="You need the operator role">
          Object names are private, so viewers cannot look them up.
        </EmptyState>
      )}
    </Dialog>
  );
}

function Answers({ object, onLeave }: { readonly object: ObjectName; readonly onLeave: () => void }) {
  const trpc = useTRPC();
  const ask = useMutation(trpc.objectLocation.ask.mutationOptions());
  const { mutate } = ask;
  useEffect(() => mutate(object), [mutate, object]);
  const isOver = (atMs: number): boolean => atMs - ask.submittedAt > objectQuestionOpenMs;
  const answers = useQuery(
    trpc.objectLocation.read.queryOptions(ask.data ?? skipToken, {
      refetchInterval: ({ state: { data, dataUpdatedAt } }) =>
        isOver(dataUpdatedAt) || data?.every(({ location }) => location !== null) ? false : ASK_EVERY_MS,
    }),
  );
  const error = ask.error ?? answers.error;
  if (error !== null)
    return <ErrorState title="The vaults could not be queried" reason={describeError(error)} />;
  if (answers.data === undefined) return <Spinner />;
  const waitsNoMore = isOver(answers.dataUpdatedAt);
  const open = answers.data.filter(({ location }) => location === null);
  const isAbsent = answers.data.every(({ location }) => location?.type === "absent");
  return (
    <div className="flex flex-col gap-4 pb-4" aria-live="polite">
      {isAbsent && (
        <EmptyState title="No vault has this object">
          {answers.data.map(({ vault }) => vault).join(", ")}: none of them has a key of this name in the
          bucket
          {` ${object.bucket}`}. It was deleted, or the name is spelled differently.
        </EmptyState>
      )}
      {answers.data.map(({ vault, location }) =>
        location === null || location.type === "absent" ? null : (
          <VaultAnswer key={vault} vault={vault} location={location} onLeave={onLeave} />
        ),
      )}
      {open.length > 0 && (
        <p className="flex items-center gap-2 text-muted">
          {waitsNoMore ? null : <Spinner />}
          {waitsNoMore
            ? `No coordinator of ${open.map(({ vault }) => vault).join(", ")} answered within ${objectQuestionOpenMs / 1_000} s: it is down, older than this console, or reaches the ingest without TLS. On its machine, "stashlight vault verify --bucket ${object.bucket}" gives the same answer.`
            : `Waiting for the coordinator of ${open.map(({ vault }) => vault).join(", ")}.`}
        </p>
      )}
    </div>
  );
}
