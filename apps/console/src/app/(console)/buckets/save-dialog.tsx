"use client";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useToast } from "@stashlight/ui/toast";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPCClient } from "../../../client/trpc.tsx";
import { describeFailure, viewKey, waitForAnswer } from "./bucket-questions.ts";
import { describeAborts, describePreview } from "./describe-bucket.ts";
import type { RulesChange } from "./rules-section.tsx";

interface SaveDialogProps {
  readonly vault: string;
  readonly bucket: string;
  /** Revision of the rules on which the change is based. */
  readonly revision: string;
  readonly change: RulesChange;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shows what the changed rules would delete, and saves them after confirmation. */
export function SaveDialog({ vault, bucket, revision, change, open, onOpenChange }: SaveDialogProps) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { title, ruleId, rules, preview } = change;
  const previewed = preview?.rules.find(({ id }) => id === ruleId) ?? null;
  const deletesNow = previewed !== null && previewed.objects.count + previewed.uploads.count > 0;
  const isRemoval = preview === null;
  const abortsUploads = rules.some(({ id, abortAfterDays }) => id === ruleId && abortAfterDays !== null);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      consequence={
        previewed === null || preview === null ? (
          "Objects that it would have deleted stay; those that it has deleted are not restored."
        ) : (
          <>
            <p className="text-ink">{describePreview(previewed, preview)}</p>
            {abortsUploads && previewed.isEnabled && (
              <p className="text-ink">{describeAborts(previewed, preview)}</p>
            )}
            <p>
              {previewed.isEnabled
                ? "The next pass, within about an hour, deletes them for good; later passes delete what becomes due. An object that several rules would delete is counted for the first of them."
                : "It can be turned on later, after another preview."}
            </p>
          </>
        )
      }
      confirmLabel={isRemoval ? "Remove rule" : "Save rule"}
      {...(deletesNow && { confirmText: bucket })}
      danger={deletesNow || isRemoval}
      describeError={describeFailure}
      onConfirm={async () => {
        const asked = await client.bucket.save.mutate({ vault, bucket, rules, revision });
        await waitForAnswer(client, vault, { asked, type: "saved" });
        toast({ title: isRemoval ? "Rule removed" : "Rule saved", description: ruleId, status: "good" });
        void queryClient.invalidateQueries({ queryKey: viewKey(vault, bucket) });
      }}
    />
  );
}
