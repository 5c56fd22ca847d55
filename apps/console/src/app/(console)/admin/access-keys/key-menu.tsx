"use client";
import type { AccessKeyRow, IssuedAccessKey } from "@stashlight/contracts/access-key";
import { lazyWhenOpen } from "@stashlight/ui";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { Ban, CircleCheck, Pencil, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";

const RotateDialog = lazyWhenOpen(async () => (await import("./key-questions.tsx")).RotateDialog);
const DisableDialog = lazyWhenOpen(async () => (await import("./key-questions.tsx")).DisableDialog);
const DeleteDialog = lazyWhenOpen(async () => (await import("./key-questions.tsx")).DeleteDialog);

interface KeyMenuProps {
  accessKey: AccessKeyRow;
  onEdit: (accessKey: AccessKeyRow) => void;
  onIssued: (issued: IssuedAccessKey) => void;
}

type Question = "rotate" | "disable" | "delete";

export function KeyMenu({ accessKey, onEdit, onIssued }: KeyMenuProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const { isDisabled } = accessKey;
  const label = `Actions for ${accessKey.name}`;
  const dialogProps = (asked: Question) => ({
    accessKey,
    open: question === asked,
    onOpenChange: (open: boolean) => setQuestion(open ? asked : null),
  });
  return (
    <>
      <ActionMenu
        label={label}
        items={[
          { id: "edit", label: "Edit access key", icon: <Pencil />, onSelect: () => onEdit(accessKey) },
          { id: "rotate", label: "Rotate secret", icon: <RotateCw />, onSelect: () => setQuestion("rotate") },
          {
            id: "disable",
            label: isDisabled ? "Enable access key" : "Disable access key",
            icon: isDisabled ? <CircleCheck /> : <Ban />,
            onSelect: () => setQuestion("disable"),
          },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete access key",
            icon: <Trash2 />,
            danger: true,
            onSelect: () => setQuestion("delete"),
          },
        ]}
      />
      <RotateDialog {...dialogProps("rotate")} onIssued={onIssued} />
      <DisableDialog {...dialogProps("disable")} />
      <DeleteDialog {...dialogProps("delete")} />
    </>
  );
}
