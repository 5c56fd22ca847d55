"use client";
import type { DashboardDetail, DashboardPanelRow } from "@stashlight/contracts/dashboard";
import { readPanel } from "@stashlight/contracts/metrics";
import { lazyWhenOpen } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import type { MenuItem } from "@stashlight/ui/menu";
import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { MetricChart } from "../../charts/metric-chart.tsx";
import { usePanelActions } from "./use-panel-actions.ts";

const NameDialog = lazyWhenOpen(async () => (await import("../../name-dialog.tsx")).NameDialog);

interface OwnedPanel {
  readonly panel: DashboardPanelRow;
  readonly panels: readonly DashboardPanelRow[];
  readonly place: number;
  readonly actions: ReturnType<typeof usePanelActions>;
  readonly onRename: (panel: DashboardPanelRow) => void;
}

function ownerMenuItems({ panel, panels, place, actions, onRename }: OwnedPanel): MenuItem[] {
  const earlier = panels[place - 1];
  const isLast = place === panels.length - 1;
  return [
    { id: "own", separator: true },
    { id: "rename", label: "Rename", icon: <Pencil />, onSelect: () => onRename(panel) },
    {
      id: "earlier",
      label: "Move earlier",
      icon: <ArrowUp />,
      disabled: earlier === undefined,
      onSelect: () => actions.move(panel, earlier?.id ?? null),
    },
    {
      id: "later",
      label: "Move later",
      icon: <ArrowDown />,
      disabled: isLast,
      onSelect: () => actions.move(panel, panels[place + 2]?.id ?? null),
    },
    {
      id: "remove",
      label: "Remove from dashboard",
      icon: <Trash2 />,
      danger: true,
      onSelect: () => actions.remove(panel),
    },
  ];
}

/** Charts in order; the owner can edit each from its menu. */
export function DashboardPanels({ dashboard }: { dashboard: DashboardDetail }) {
  const { panels, isOwn } = dashboard;
  const actions = usePanelActions(dashboard.id);
  const renaming = useDialog<DashboardPanelRow>();
  return (
    <>
      <div className="grid gap-4 xl:grid-cols-2">
        {panels.map((panel, place) => {
          const read = readPanel(panel.query);
          if ("problem" in read) {
            return (
              <Unreadable
                key={panel.id}
                panel={panel}
                problem={read.problem}
                onRemove={isOwn ? () => actions.remove(panel) : null}
              />
            );
          }
          return (
            <MetricChart
              key={panel.id}
              panel={read.panel}
              title={panel.title}
              heightPx={220}
              menuItems={
                isOwn ? ownerMenuItems({ panel, panels, place, actions, onRename: renaming.show }) : []
              }
            />
          );
        })}
      </div>
      {renderDialog(renaming, (subject, shown) => (
        <NameDialog
          title="Rename chart"
          action="Rename chart"
          label="Title of the chart"
          name={subject.title}
          {...shown}
          onName={(title) => actions.rename(subject?.id ?? "", title)}
        />
      ))}
    </>
  );
}

interface UnreadableProps {
  readonly panel: DashboardPanelRow;
  readonly problem: string;
  /** Null without permission. */
  readonly onRemove: (() => void) | null;
}

/** Shown instead of a chart whose metric, label or statistic has left the catalogue. */
function Unreadable({ panel: { title }, problem, onRemove }: UnreadableProps) {
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface px-3 pt-2.5 pb-3"
    >
      <h3 className="text-base font-medium text-pretty text-ink">{title}</h3>
      <Callout
        status="warning"
        title="This chart can no longer be drawn"
        action={
          onRemove && (
            <Button size="sm" onClick={onRemove}>
              Remove from dashboard
            </Button>
          )
        }
      >
        {problem}
      </Callout>
    </section>
  );
}
