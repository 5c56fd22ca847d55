"use client";
import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { lazyWhenOpen } from "@stashlight/ui";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { Ellipsis, House, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useDialog } from "../../../client/use-dialog.ts";
import { useDashboardActions } from "./use-dashboard-actions.ts";

const NameDialog = lazyWhenOpen(async () => (await import("../name-dialog.tsx")).NameDialog);

interface DashboardMenuProps {
  readonly dashboard: DashboardRow;
  readonly onDeleted?: () => void;
}

/** Owner actions on a dashboard. */
export function DashboardMenu({ dashboard, onDeleted }: DashboardMenuProps) {
  const { name, isShared, isStart } = dashboard;
  const actions = useDashboardActions(dashboard);
  const renaming = useDialog<"name">();
  const [isDeleting, setDeleting] = useState(false);
  const label = `Actions for ${name}`;
  return (
    <>
      <Menu
        label={label}
        trigger={<Button variant="quiet" icon={<Ellipsis aria-hidden="true" />} aria-label={label} />}
        items={[
          {
            id: "rename",
            label: "Rename dashboard",
            icon: <Pencil />,
            onSelect: () => renaming.show("name"),
          },
          {
            id: "share",
            label: isShared ? "Stop sharing" : "Share with all users",
            hint: isShared
              ? "Only you will see it."
              : "Every signed-in user can read it; only you can change it.",
            icon: <Share2 />,
            onSelect: actions.toggleShared,
          },
          {
            id: "start",
            label: isStart ? "Make the Overview your start page" : "Make it your start page",
            icon: <House />,
            onSelect: actions.toggleStart,
          },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete dashboard",
            icon: <Trash2 />,
            danger: true,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      {renderDialog(renaming, (_, shown) => (
        <NameDialog
          title="Rename dashboard"
          action="Rename dashboard"
          label="Name of the dashboard"
          name={name}
          {...shown}
          onName={actions.rename}
        />
      ))}
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete “${name}”?`}
        consequence={describeDeletion(dashboard)}
        confirmLabel="Delete dashboard"
        describeError={describeError}
        onConfirm={async () => {
          await actions.remove();
          onDeleted?.();
        }}
      />
    </>
  );
}

function describeDeletion({ panelCount, isShared }: DashboardRow): string {
  const charts = panelCount === 1 ? "Its chart is deleted too" : `Its ${panelCount} charts are deleted too`;
  const content = panelCount === 0 ? "It has no charts." : `${charts}; the measurements are kept.`;
  return `${content}${isShared ? " Its readers lose it too." : ""} This cannot be undone.`;
}
