"use client";
import { type AuditDetails, type AuditRow, type AuditValue, auditActions } from "@stashlight/contracts/audit";
import { cx } from "@stashlight/ui";
import { CopyableId, DefinitionList, Time } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";

interface EventDialogProps {
  event: AuditRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Complete record of one event. */
export function EventDialog({ event, open, onOpenChange }: EventDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Event #${event.sequence}`}
      description={`${event.actorName} ${auditActions[event.action] ?? event.action}`}
    >
      <DefinitionList
        items={[
          { term: "Time", value: <Time value={event.occurredAt} /> },
          { term: "Actor", value: <Actor event={event} /> },
          { term: "Action", value: <CopyableId value={event.action} label="action" /> },
          ...(event.targetId === null ? [] : [{ term: "Target", value: <Target event={event} /> }]),
          { term: "Address", value: <CopyableId value={event.ipAddress} label="address" /> },
          {
            term: "User agent",
            value: <span className="break-words">{event.userAgent || "not sent"}</span>,
          },
          { term: "Hash", value: <CopyableId value={event.hash} label="hash" /> },
        ]}
      />
      <Changes before={event.before} after={event.after} />
    </Dialog>
  );
}

function Actor({ event }: { event: AuditRow }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {event.actorName}
      {event.actorRole !== null && <span className="text-muted">{event.actorRole}</span>}
      {event.actorId !== null && <CopyableId value={event.actorId} label="actor id" />}
    </span>
  );
}

function Target({ event }: { event: AuditRow }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {event.targetName}
      <span className="text-muted">{event.targetKind}</span>
      {event.targetId !== null && <CopyableId value={event.targetId} label="target id" />}
    </span>
  );
}

/** Before and after, side by side where there is room; differences are highlighted. */
function Changes({ before, after }: { before: AuditDetails | null; after: AuditDetails | null }) {
  if (before === null && after === null) {
    return <p className="border-t border-line pt-3 text-muted">This event has no details.</p>;
  }
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const differing = new Set(
    before === null || after === null
      ? []
      : names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  );
  return (
    <div className="grid gap-3 border-t border-line pt-4 sm:grid-cols-2">
      <Values title="Before" values={before} names={names} differing={differing} />
      <Values title="After" values={after} names={names} differing={differing} />
    </div>
  );
}

interface ValuesProps {
  title: string;
  values: AuditDetails | null;
  names: readonly string[];
  differing: ReadonlySet<string>;
}

function Values({ title, values, names, differing }: ValuesProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line">
      <h3 className="border-b border-line px-3 py-1.5 text-sm font-medium text-faint">{title}</h3>
      {values === null ? (
        <p className="px-3 py-2 text-base text-faint">none</p>
      ) : (
        <dl className="px-3 py-1">
          {names.map((name) => (
            <div key={name} className="py-1 text-base">
              <dt className="text-sm text-faint">{name}</dt>
              <dd
                className={cx(
                  "font-mono text-sm break-words",
                  differing.has(name) ? "text-ink" : "text-muted",
                )}
              >
                {formatValue(values[name])}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function formatValue(value: AuditValue | undefined): string {
  if (value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
