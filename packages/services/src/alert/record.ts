/**
 * What an evaluation found, into the database: states, events, and for each event what channels are to be told, all in
 * the caller's transaction, so that an event and its messages exist together or not at all.
 */
import { formatCondition, formatLabels, formatRuleValue } from "@stashlight/contracts/alert/words";
import type { Prisma, Transaction } from "@stashlight/db";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { newId } from "../ids.ts";
import type { AlertTransition, Evaluation, GroupState } from "./evaluate.ts";
import { conditionOf, labelsOf, queryOf, type StoredRule, type StoredState, severityOf } from "./rows.ts";
import { activeSilences, silencedUntil } from "./silences.ts";

interface FiringNote {
  firingEventId: string | null;
  isNotified: boolean;
  lastNotifiedMs: number | null;
}

/** What channels are told: a transition, or that what fires goes on. */
type ToldEvent = Omit<AlertTransition, "kind"> & { readonly kind: AlertTransition["kind"] | "reminder" };

const unnoted: FiringNote = { firingEventId: null, isNotified: false, lastNotifiedMs: null };

/** A sentence for a person: what, how much, where. */
export function summarise(rule: StoredRule, { kind, state }: Pick<ToldEvent, "kind" | "state">): string {
  const ask = { query: queryOf(rule), condition: conditionOf(rule) };
  const where = formatLabels(state.labels);
  const value =
    ask.condition.kind === "absence" || state.value === null ? "" : `${formatRuleValue(ask, state.value)}, `;
  const what =
    kind === "resolved" ? `resolved${value && `, ${value.slice(0, -2)}`}` : `${value}${formatCondition(ask)}`;
  return `${rule.name}${where && ` (${where})`}: ${what}.`;
}

/** The channels of a rule, or the default ones. */
async function channelIdsOf(tx: Transaction, rule: StoredRule): Promise<string[]> {
  const channels = await tx.alertChannel.findMany({
    where: {
      isEnabled: true,
      ...(rule.channelIds.length > 0 ? { id: { in: rule.channelIds } } : { isDefault: true }),
    },
    select: { id: true },
  });
  return channels.map(({ id }) => id);
}

const eventRow = (rule: StoredRule, event: ToldEvent, id: string, firingEventId: string) => ({
  id,
  firingEventId,
  ruleId: rule.id,
  ruleName: rule.name,
  severity: severityOf(rule),
  kind: event.kind,
  group: event.state.group,
  labels: alertEventColumns.labels.write(event.state.labels),
  value: event.state.value,
  summary: summarise(rule, event),
  occurredAt: new Date(event.atMs),
});

export async function recordEvaluation(
  tx: Transaction,
  rule: StoredRule,
  stored: readonly StoredState[],
  { states, events }: Evaluation,
  now: Date,
): Promise<void> {
  const notes = new Map<string, FiringNote>(
    stored.map(({ group, firingEventId, isNotified, toldAt, since }) => [
      group,
      { firingEventId, isNotified, lastNotifiedMs: isNotified ? (toldAt ?? since).getTime() : null },
    ]),
  );
  const rows: Prisma.AlertEventCreateManyInput[] = [];
  const toTell: string[] = [];
  const overtaken: string[] = [];
  for (const event of events) {
    const note = notes.get(event.state.group) ?? unnoted;
    const id = newId();
    const isResolved = event.kind === "resolved";
    rows.push(eventRow(rule, event, id, isResolved ? (note.firingEventId ?? id) : id));
    // Who was not told that it fired is not told that it is over.
    if (isResolved && note.isNotified) toTell.push(id);
    if (isResolved && note.firingEventId !== null) overtaken.push(note.firingEventId);
    notes.set(event.state.group, isResolved ? unnoted : { ...unnoted, firingEventId: id });
  }
  const silences = await activeSilences(tx, now);
  for (const state of states) {
    const note = notes.get(state.group) ?? unnoted;
    const { firingEventId } = note;
    if (state.status !== "firing" || firingEventId === null) continue;
    if (silencedUntil(silences, rule.id, state.labels) !== null) continue;
    if (note.isNotified) {
      if (!isReminderDue(rule, note, now)) continue;
      const id = newId();
      rows.push(eventRow(rule, { kind: "reminder", state, atMs: now.getTime() }, id, firingEventId));
      toTell.push(id);
      overtaken.push(firingEventId);
    } else toTell.push(firingEventId);
    notes.set(state.group, { firingEventId, isNotified: true, lastNotifiedMs: now.getTime() });
  }
  await dropReminders(tx, overtaken);
  if (rows.length > 0) await tx.alertEvent.createMany({ data: rows });
  await queueMessages(tx, rule, toTell, now);
  await writeStates(tx, rule.id, stored, states, notes);
}

const isReminderDue = ({ remindSeconds }: StoredRule, { lastNotifiedMs }: FiringNote, now: Date): boolean =>
  remindSeconds > 0 && lastNotifiedMs !== null && now.getTime() - lastNotifiedMs >= remindSeconds * 1000;

/** A reminder that a channel did not take yet says nothing when the next one is there, or when the alert is over. */
async function dropReminders(tx: Transaction, firingEventIds: readonly string[]): Promise<void> {
  if (firingEventIds.length === 0) return;
  await tx.alertDelivery.deleteMany({
    where: { state: "waiting", event: { kind: "reminder", firingEventId: { in: [...firingEventIds] } } },
  });
}

async function queueMessages(
  tx: Transaction,
  rule: StoredRule,
  eventIds: string[],
  now: Date,
): Promise<void> {
  if (eventIds.length === 0) return;
  const channelIds = await channelIdsOf(tx, rule);
  await tx.alertDelivery.createMany({
    data: eventIds.flatMap((eventId) =>
      channelIds.map((channelId) => ({ eventId, channelId, state: "waiting", nextAttemptAt: now })),
    ),
    skipDuplicates: true,
  });
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms));

/** All states of a rule with one statement, because a fleet has thousands of them every 15 s. */
async function writeStates(
  tx: Transaction,
  ruleId: string,
  stored: readonly StoredState[],
  states: readonly GroupState[],
  notes: ReadonlyMap<string, FiringNote>,
): Promise<void> {
  const kept = new Set(states.map(({ group }) => group));
  const gone = stored.filter(({ group }) => !kept.has(group)).map(({ group }) => group);
  if (gone.length > 0) await tx.alertState.deleteMany({ where: { ruleId, group: { in: gone } } });
  if (states.length === 0) return;
  const rows = states.map(({ group, labels, status, value, ...at }) => ({
    group,
    labels,
    status,
    value,
    since: instant(at.sinceMs),
    evaluated_at: instant(at.evaluatedMs),
    sample_at: instant(at.sampleMs),
    clear_since: instant(at.clearSinceMs),
    firing_event_id: notes.get(group)?.firingEventId ?? null,
    is_notified: notes.get(group)?.isNotified ?? false,
    told_at: instant(notes.get(group)?.lastNotifiedMs ?? null),
  }));
  await tx.$executeRaw`
    INSERT INTO alert_state AS s (rule_id, "group", labels, status, since, evaluated_at, value, sample_at,
                                  clear_since, firing_event_id, is_notified, told_at)
    SELECT ${ruleId}::uuid, "group", labels, status, since, evaluated_at, value, sample_at, clear_since,
           firing_event_id, is_notified, told_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r ("group" text, labels jsonb, status text,
           since timestamptz, evaluated_at timestamptz, value float8, sample_at timestamptz, clear_since timestamptz,
           firing_event_id uuid, is_notified boolean, told_at timestamptz)
    ON CONFLICT (rule_id, "group") DO UPDATE SET
      status = excluded.status, since = excluded.since, evaluated_at = excluded.evaluated_at,
      value = excluded.value, sample_at = excluded.sample_at, clear_since = excluded.clear_since,
      firing_event_id = excluded.firing_event_id, is_notified = excluded.is_notified,
      told_at = excluded.told_at`;
}

/** Resolves what fires of a rule that changes or ends, and forgets its states. */
export async function endStates(tx: Transaction, rule: StoredRule, now: Date): Promise<void> {
  const stored = await tx.alertState.findMany({ where: { ruleId: rule.id } });
  const firing = stored.filter(({ status }) => status === "firing");
  const events = firing.map(
    (state): AlertTransition => ({
      kind: "resolved",
      atMs: now.getTime(),
      state: {
        group: state.group,
        labels: labelsOf(state),
        status: "ok",
        sinceMs: now.getTime(),
        evaluatedMs: now.getTime(),
        value: state.value,
        sampleMs: now.getTime(),
        clearSinceMs: null,
      },
    }),
  );
  await recordEvaluation(tx, rule, stored, { states: [], events }, now);
}
