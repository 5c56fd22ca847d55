"use client";
import { type AuditAction, type AuditFilter, auditActions } from "@stashlight/contracts/audit";
import { useIsClient } from "@stashlight/ui";
import { Button, buttonClass } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { Download, RotateCw } from "lucide-react";
import { auditActionNames, exportHref } from "./use-audit-events.ts";

const everyAction = "every";
const actionOptions = [
  { value: everyAction, label: "Every action" },
  ...auditActionNames.map((name) => ({ value: name, label: auditActions[name] })),
];

interface AuditToolbarProps {
  action: AuditAction | null;
  onActionChange: (action: AuditAction | null) => void;
  filter: AuditFilter;
  isRefreshing: boolean;
  onRefresh: () => void;
}

/** Filter by action, and buttons to refresh and save the list. */
export function AuditToolbar({ action, onActionChange, filter, isRefreshing, onRefresh }: AuditToolbarProps) {
  return (
    <>
      <ActionSelect value={action} onChange={onActionChange} />
      {/* Phones show it on a separate line; otherwise the row count would move it. */}
      <span className="flex items-center gap-1 max-md:w-full">
        <Button
          variant="quiet"
          icon={<RotateCw />}
          aria-label="Refresh"
          title="Refresh"
          pending={isRefreshing}
          onClick={onRefresh}
        />
        <ExportLinks filter={filter} />
      </span>
    </>
  );
}

interface ActionSelectProps {
  value: AuditAction | null;
  onChange: (action: AuditAction | null) => void;
}

function ActionSelect({ value, onChange }: ActionSelectProps) {
  return (
    <span className="w-56 max-md:w-full">
      <Select
        aria-label="Action"
        className="h-8! md:text-base!"
        options={actionOptions}
        value={value ?? everyAction}
        onValueChange={(next) => onChange(next === everyAction ? null : (next as AuditAction))}
      />
    </span>
  );
}

/** Plain links, with which the browser saves a streamed file of any length. */
function ExportLinks({ filter }: { filter: AuditFilter }) {
  // The range ends at the reader's clock, which the server does not know.
  const isClient = useIsClient();
  return (["csv", "json"] as const).map((format) => (
    <a
      key={format}
      className={`${buttonClass("quiet")} no-underline`}
      href={isClient ? exportHref(filter, format) : undefined}
      download
    >
      <Download aria-hidden="true" />
      Export {format.toUpperCase()}
    </a>
  ));
}
