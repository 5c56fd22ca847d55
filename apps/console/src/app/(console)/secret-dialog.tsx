"use client";
import { Dialog, type DialogProps } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { describeError } from "../../client/errors.ts";

interface SecretDialogProps extends Omit<DialogProps, "footer"> {
  /** Label of the button by which the reader confirms having saved the secret. */
  done?: string;
}

/** Shows a link, a key or a token, which cannot be shown again. */
export function SecretDialog({ done = "Done", ...dialog }: SecretDialogProps) {
  return <Dialog {...dialog} footer={<DoneButton done={done} onOpenChange={dialog.onOpenChange} />} />;
}

function DoneButton({ done, onOpenChange }: Pick<SecretDialogProps, "done" | "onOpenChange">) {
  return (
    <Button variant="primary" onClick={() => onOpenChange(false)}>
      {done}
    </Button>
  );
}

interface IssueDialogProps<Issued> extends Omit<DialogProps, "footer" | "children"> {
  consequence: string;
  /** Verb and object: "Issue link". */
  action: string;
  issue: () => Promise<Issued>;
  children: (issued: Issued) => ReactNode;
}

/** Explains what issuing the secret does, and shows it after confirmation. */
export function IssueDialog<Issued>(props: IssueDialogProps<Issued>) {
  const { consequence, action, issue, children, ...dialog } = props;
  const { mutate, data, error, isPending, isSuccess } = useMutation({ mutationFn: issue });
  return (
    <Dialog
      {...dialog}
      footer={
        isSuccess ? (
          <DoneButton done="Done" onOpenChange={dialog.onOpenChange} />
        ) : (
          <>
            <Button onClick={() => dialog.onOpenChange(false)}>Cancel</Button>
            <Button variant="primary" pending={isPending} onClick={() => mutate()}>
              {action}
            </Button>
          </>
        )
      }
    >
      {isSuccess ? (
        children(data)
      ) : (
        <div className="flex flex-col gap-4 text-muted">
          <p>{consequence}</p>
          <FormError>{error === null ? undefined : describeError(error)}</FormError>
        </div>
      )}
    </Dialog>
  );
}
