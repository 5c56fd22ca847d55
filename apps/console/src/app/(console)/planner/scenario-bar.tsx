"use client";
import type { PlanScenario, ScenarioRow } from "@stashlight/contracts/planner";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyWhenOpen } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Badge } from "@stashlight/ui/feedback";
import { Button, FormError } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, FilePlus2, Pencil, Save, Share2, Star, Trash2 } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { describeError } from "../../../client/errors.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import { ReportLinks } from "../report-links/report-links.tsx";
import { type PlanToSave, useScenarioActions } from "./use-scenario-actions.ts";

const ShareDialog = lazyWhenOpen(async () => (await import("../report-links/share-dialog.tsx")).ShareDialog);

const NameDialog = lazyWhenOpen(async () => (await import("../name-dialog.tsx")).NameDialog);

interface ScenarioBarProps {
  readonly role: Role;
  readonly scenario: PlanScenario | null;
  /** Null while an input is invalid. */
  readonly toSave: PlanToSave | null;
}

const NEW = "new";

/** Saved plans: open, save, and further actions. */
export function ScenarioBar({ role, scenario, toSave }: ScenarioBarProps) {
  const trpc = useTRPC();
  const [, setScenarioId] = useQueryState("scenario", parseAsString.withOptions({ history: "push" }));
  const scenarios = useQuery(trpc.planner.listScenarios.queryOptions());
  const actions = useScenarioActions(scenario);
  const naming = useDialog<"save" | "rename">();
  const mayWrite = roleIncludes(role, "operator");
  const rows = scenarios.data ?? [];
  const current = rows.find(({ id }) => id === scenario?.id);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <SavedPlans rows={rows} scenarioId={scenario?.id ?? null} onOpen={(id) => void setScenarioId(id)} />
        {mayWrite && (
          <SaveButtons
            isSaved={scenario !== null}
            toSave={toSave}
            actions={actions}
            onSaveAs={() => naming.show("save")}
          />
        )}
        {!mayWrite && (
          <span className="text-sm text-faint">You need the operator role to save and share plans.</span>
        )}
        {scenario !== null && mayWrite && (
          <ScenarioMenu
            scenario={scenario}
            isDefault={current?.isDefault ?? scenario.isDefault}
            actions={actions}
            onRename={() => naming.show("rename")}
          />
        )}
        {current?.isDefault && <Badge status="info">On the overview</Badge>}
        {current !== undefined && (
          <span className="text-sm text-faint">
            Saved by {current.updatedByName} <Time value={current.updatedAt} show="age" />
          </span>
        )}
      </div>
      <FormError>{actions.update.error === null ? undefined : describeError(actions.update.error)}</FormError>
      {scenario !== null && (
        <div className="empty:hidden print:hidden">
          <ReportLinks kind="plan" subjectName={scenario.name} role={role} />
        </div>
      )}
      {renderDialog(naming, (subject, shown) => (
        <NameDialog
          title={subject === "save" ? "Save this plan" : "Rename this plan"}
          action={subject === "save" ? "Save plan" : "Rename plan"}
          label="Name of the plan"
          name={subject === "rename" ? (scenario?.name ?? "") : ""}
          {...shown}
          onName={async (name) => {
            if (subject === "rename") await actions.rename(name);
            else if (toSave !== null) await setScenarioId((await actions.create(name, toSave)).id);
          }}
        />
      ))}
    </>
  );
}

interface SavedPlansProps {
  readonly rows: readonly ScenarioRow[];
  readonly scenarioId: string | null;
  readonly onOpen: (scenarioId: string | null) => void;
}

function SavedPlans({ rows, scenarioId, onOpen }: SavedPlansProps) {
  return (
    <span className="w-56 max-md:w-full">
      <Select
        aria-label="Saved plans"
        options={[
          { value: NEW, label: "A new plan" },
          ...rows.map(({ id, name, isDefault }) => ({
            value: id,
            label: name,
            ...(isDefault ? { hint: "on the overview" } : {}),
          })),
        ]}
        value={scenarioId ?? NEW}
        onValueChange={(id) => onOpen(id === NEW ? null : id)}
      />
    </span>
  );
}

type Actions = ReturnType<typeof useScenarioActions>;

interface SaveButtonsProps extends Pick<ScenarioBarProps, "toSave"> {
  readonly isSaved: boolean;
  readonly actions: Actions;
  readonly onSaveAs: () => void;
}

function SaveButtons({ isSaved, toSave, actions, onSaveAs }: SaveButtonsProps) {
  return (
    <>
      {isSaved && (
        <Button
          icon={<Save aria-hidden="true" />}
          disabled={toSave === null}
          pending={actions.update.isPending}
          onClick={() => {
            if (toSave !== null) actions.save(toSave);
          }}
        >
          Save
        </Button>
      )}
      <Button icon={<FilePlus2 aria-hidden="true" />} disabled={toSave === null} onClick={onSaveAs}>
        Save as
      </Button>
    </>
  );
}

interface ScenarioMenuProps {
  readonly scenario: PlanScenario;
  readonly isDefault: boolean;
  readonly actions: Actions;
  readonly onRename: () => void;
}

function ScenarioMenu({ scenario, isDefault, actions, onRename }: ScenarioMenuProps) {
  const [, setScenarioId] = useQueryState("scenario", parseAsString.withOptions({ history: "push" }));
  const sharing = useDialog<true>();
  const deleting = useDialog<true>();
  return (
    <>
      <Button icon={<Share2 aria-hidden="true" />} onClick={() => sharing.show(true)}>
        Share
      </Button>
      <Menu
        label={`Actions for ${scenario.name}`}
        trigger={<Button variant="quiet" icon={<Ellipsis />} aria-label={`Actions for ${scenario.name}`} />}
        items={[
          { id: "rename", label: "Rename", icon: <Pencil />, onSelect: onRename },
          {
            id: "default",
            label: isDefault ? "Used on the overview" : "Use on the overview",
            icon: <Star />,
            onSelect: () => actions.makeDefault.mutate({ scenarioId: scenario.id }),
          },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete",
            icon: <Trash2 />,
            danger: true,
            onSelect: () => deleting.show(true),
          },
        ]}
      />
      <ShareDialog
        key={sharing.key}
        subjectName={scenario.name}
        description="Anyone with the link can read the plan as it was last saved, and nothing else, without signing in."
        share={(fields) => actions.share.mutateAsync({ scenarioId: scenario.id, ...fields })}
        open={sharing.open}
        onOpenChange={sharing.setOpen}
      />
      <ConfirmDialog
        open={deleting.open}
        onOpenChange={deleting.setOpen}
        title={`Delete ${scenario.name}?`}
        consequence="The plan cannot be restored. Links to it keep showing it until they are revoked."
        confirmLabel="Delete plan"
        confirmText={scenario.name}
        describeError={describeError}
        onConfirm={async () => {
          await actions.remove(scenario.name);
          await setScenarioId(null);
        }}
      />
    </>
  );
}
