/**
 * Writes the result of an evaluation into the database: states, events, and the messages for each event, all in the
 * caller's transaction, so that an event and its messages exist together or not at all.
 */
import type { Prisma, Transaction } from "@stashlight/db";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { newId } from "../ids.ts";
import { present } from "../present.ts";
import { refreshAcknowledgements } from "./acknowledge.ts";
import {
  type ChannelNotice,
  decideNotices,
  type EndedGroup,
  type FiringGroup,
  groupWaitMs,
} from "./alert-grouping.ts";
import type { AlertTransition, Evaluation, GroupState } from "./evaluate.ts";
import { findVaults, type VaultOf } from "./group-vaults.ts";
import { findMuting, mutedBy } from "./muting.ts";
import { type DueMessage, dropOvertaken, queueMessages } from "./outbox.ts";
import { type FollowedIncidents, followStoredIncidents } from "./record-incidents.ts";
import { type StoredRule, type StoredState, storedLabels, storedSeverity } from "./rule-rows.ts";
import {
  type AlertGroupsMessage,
  messageOfEnd,
  messageOfGroups,
  type NotifiedEvent,
  summarise,
} from "./summary.ts";

interface FiringNote {
  firingEventId: string | null;
  isNotified: boolean;
  lastNotifiedMs: number | null;
  /** Id of the rule that inhibits the alert. */
  inhibitedBy: string | null;
}

const unnoted: FiringNote = {
  firingEventId: null,
  isNotified: false,
  lastNotifiedMs: null,
  inhibitedBy: null,
};

const eventRow = (rule: StoredRule, event: NotifiedEvent, id: string, firingEventId: string) => ({
  id,
  firingEventId,
  ruleId: rule.id,
  ruleName: rule.name,
  severity: storedSeverity(rule),
  kind: event.kind,
  group: event.state.group,
  labels: alertEventColumns.labels.write(event.state.labels),
  value: event.state.value,
  summary: summarise(rule, event.state),
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
    stored.map(({ group, firingEventId, isNotified, toldAt, since, inhibitedBy }) => [
      group,
      {
        firingEventId,
        isNotified,
        lastNotifiedMs: isNotified ? (toldAt ?? since).getTime() : null,
        inhibitedBy,
      },
    ]),
  );
  const rows = new Map<string, Prisma.AlertEventCreateManyInput>();
  const ended: EndedGroup[] = [];
  for (const event of events) {
    const { firingEventId, isNotified } = notes.get(event.state.group) ?? unnoted;
    const id = newId();
    const isResolved = event.kind === "resolved";
    rows.set(id, eventRow(rule, event, id, isResolved ? (firingEventId ?? id) : id));
    // Channels that were not notified of the beginning are not notified of the end.
    if (isResolved && isNotified && firingEventId !== null) {
      ended.push({ state: event.state, firingEventId, eventId: id });
    }
    notes.set(event.state.group, isResolved ? unnoted : { ...unnoted, firingEventId: id });
  }
  if (events.length > 0 || states.some(({ status }) => status === "firing")) {
    const all = [...states, ...events.map(({ state }) => state)].map(({ labels }) => labels);
    const vaultOf = await findVaults(tx, all);
    const incidents = await followStoredIncidents(tx, rule, { states, vaultOf, now });
    const found = { rule, states, notes, rows, vaultOf, incidents, now };
    const firing = await findFiring(tx, found);
    await incidents.write(firing);
    const unsent = await findUnsent(tx, firing, now);
    const acknowledged = await refreshAcknowledgements(
      tx,
      rule.id,
      new Set(firing.map(({ vault }) => vault)),
    );
    const { remindSeconds } = rule;
    const notices = decideNotices({
      firing,
      ended,
      remindSeconds,
      nowMs: now.getTime(),
      unsent,
      acknowledged,
    });
    await queueNotices(tx, { ...found, notices });
  }
  await writeStates(tx, rule.id, stored, states, notes);
}

interface Queue {
  readonly rule: StoredRule;
  readonly states: readonly GroupState[];
  readonly notes: Map<string, FiringNote>;
  /** Events of this evaluation, by id. */
  readonly rows: Map<string, Prisma.AlertEventCreateManyInput>;
  readonly vaultOf: VaultOf;
  readonly incidents: FollowedIncidents;
  readonly notices: readonly ChannelNotice[];
  readonly now: Date;
}

/**
 * Lists firing groups with the reason why channels are not notified; the event of a group that begins muted stores that
 * reason.
 */
async function findFiring(
  tx: Transaction,
  { rule, states, notes, rows, vaultOf, now }: Omit<Queue, "notices" | "incidents">,
): Promise<FiringGroup[]> {
  if (!states.some(({ status }) => status === "firing")) return [];
  const subjects = states.map(({ group, labels, status }) => ({
    rule,
    labels,
    status,
    vault: vaultOf(labels),
    inhibitedBy: notes.get(group)?.inhibitedBy ?? null,
  }));
  const mutingOf = await findMuting(tx, now, { subjects, areNewer: true });
  return states.flatMap((state, index): FiringGroup[] => {
    const note = notes.get(state.group) ?? unnoted;
    const subject = present(subjects[index]);
    if (state.status !== "firing" || note.firingEventId === null) return [];
    const muting = mutingOf(subject);
    notes.set(state.group, { ...note, inhibitedBy: muting.inhibitor?.ruleId ?? null });
    const muted = mutedBy(muting);
    const row = rows.get(note.firingEventId);
    if (row !== undefined) row.mutedBy = muted;
    const { firingEventId, lastNotifiedMs: notifiedMs } = note;
    return [{ state, vault: subject.vault, mutedBy: muted, firingEventId, notifiedMs }];
  });
}

/** Incidents whose first message has not been sent, so that it still accepts groups. */
async function findUnsent(tx: Transaction, firing: readonly FiringGroup[], now: Date): Promise<Set<string>> {
  const isYoung = ({ notifiedMs }: FiringGroup) =>
    notifiedMs !== null && now.getTime() - notifiedMs < groupWaitMs;
  const ids = [...new Set(firing.filter(isYoung).map(({ firingEventId }) => firingEventId))];
  if (ids.length === 0) return new Set();
  const sent = await tx.alertDelivery.findMany({
    where: { eventId: { in: ids }, OR: [{ state: { not: "waiting" } }, { attempts: { gt: 0 } }] },
    select: { eventId: true },
  });
  const sentIds = new Set(sent.map(({ eventId }) => eventId));
  return new Set(ids.filter((id) => !sentIds.has(id)));
}

/** Writes events with their messages, and records which groups channels then know of. */
async function queueNotices(tx: Transaction, queue: Queue): Promise<void> {
  const { rule, notes, rows, notices, now } = queue;
  const due: DueMessage[] = [];
  const messages: { readonly eventId: string; readonly message: AlertGroupsMessage }[] = [];
  for (const notice of notices) {
    const { firingEventId } = notice;
    if (notice.kind === "withdraws") {
      await withdraw(tx, notice, notes);
      continue;
    }
    const { eventId, at } = messageEvent(notice, queue);
    if (notice.kind !== "joins") due.push({ eventId, at });
    const message = noticeMessage(notice, queue);
    if (message !== null) messages.push({ eventId, message });
    if (notice.kind === "ends") continue;
    // A queued message carries the time at which the first of its groups began to fire.
    const lastNotifiedMs =
      notice.kind === "joins"
        ? Math.max(...notice.groups.map(({ notifiedMs }) => notifiedMs ?? 0))
        : now.getTime();
    for (const { state } of notice.groups) {
      const { inhibitedBy } = notes.get(state.group) ?? unnoted;
      notes.set(state.group, { firingEventId, isNotified: true, lastNotifiedMs, inhibitedBy });
    }
  }
  const overtaking = notices.filter(({ kind }) => kind === "reminds" || kind === "grows" || kind === "ends");
  await dropOvertaken(
    tx,
    overtaking.map(({ firingEventId }) => firingEventId),
  );
  if (rows.size > 0) await tx.alertEvent.createMany({ data: [...rows.values()].map(placeInIncident(queue)) });
  for (const { eventId, message } of messages) {
    const data = { message: alertEventColumns.message.write(message) };
    await tx.alertEvent.update({ where: { id: eventId }, data });
  }
  await queueMessages(tx, rule, due);
}

/** Every event belongs to the incident of its vault. */
const placeInIncident =
  ({ vaultOf, incidents }: Queue) =>
  (row: Prisma.AlertEventCreateManyInput) => ({
    ...row,
    incidentId: incidents.of(vaultOf(alertEventColumns.labels.read(row.labels, row.id)))?.id ?? null,
  });

function noticeMessage(notice: Message, queue: Queue): AlertGroupsMessage | null {
  const { rule, vaultOf, incidents } = queue;
  const vault = vaultOf(notice.groups[0]?.state.labels ?? {});
  if (notice.kind === "ends") {
    const firing = new Set(queue.states.flatMap(({ status, group }) => (status === "firing" ? [group] : [])));
    const { groups = [], unevaluatedSeconds = 0 } = incidents.of(vault) ?? {};
    const over = groups.filter((group) => !firing.has(group));
    return messageOfEnd(rule, over, { vault, unevaluatedSeconds });
  }
  const groupCount = queue.states.filter(({ labels }) => vaultOf(labels) === vault).length;
  const states = notice.groups.map(({ state }) => state);
  const joinedCount = notice.kind === "grows" ? notice.joining.length : 0;
  return messageOfGroups(rule, states, { vault, groupCount }, joinedCount);
}

/** Withdraws a queued message, unless a worker is about to send it. */
async function withdraw(tx: Transaction, notice: Withdrawal, notes: Queue["notes"]): Promise<void> {
  const { firingEventId, groups } = notice;
  const waiting = { eventId: firingEventId, state: "waiting", attempts: 0 };
  const { count } = await tx.alertDelivery.deleteMany({ where: waiting });
  if (count === 0) return;
  const data = { mutedBy: groups[0]?.mutedBy ?? null };
  await tx.alertEvent.updateMany({ where: { id: firingEventId }, data });
  await tx.alertIncident.updateMany({ where: { events: { some: { id: firingEventId } } }, data });
  for (const { state } of groups) {
    const { inhibitedBy } = notes.get(state.group) ?? unnoted;
    notes.set(state.group, { ...unnoted, firingEventId, inhibitedBy });
  }
}

type Withdrawal = Extract<ChannelNotice, { kind: "withdraws" }>;
type Message = Exclude<ChannelNotice, Withdrawal>;

/** Event and due time of a message. Reminders and late joiners get separate events. */
function messageEvent(notice: Message, { rule, rows, now }: Queue): { eventId: string; at: Date } {
  const { firingEventId } = notice;
  if (notice.kind === "ends") return { eventId: present(notice.groups.at(-1)).eventId, at: now };
  if (notice.kind === "begins" || notice.kind === "joins") {
    return { eventId: firingEventId, at: new Date(now.getTime() + groupWaitMs) };
  }
  const eventId = newId();
  const isGrown = notice.kind === "grows";
  const { state } = present((isGrown ? notice.joining : notice.groups)[0]);
  const event = { kind: isGrown ? ("joined" as const) : ("reminder" as const), state, atMs: now.getTime() };
  rows.set(eventId, eventRow(rule, event, eventId, firingEventId));
  return { eventId, at: now };
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms));

/** Writes all states of a rule in one statement, because a fleet has thousands of them every 15 s. */
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
  const rows = states.map(({ group, labels, status, value, hasValue, evidence, ...at }) => ({
    group,
    labels,
    status,
    value,
    has_value: hasValue,
    evidence,
    since: instant(at.sinceMs),
    evaluated_at: instant(at.evaluatedMs),
    sample_at: instant(at.sampleMs),
    clear_since: instant(at.clearSinceMs),
    ends_at: instant(at.endsMs),
    unevaluated_seconds: at.unevaluatedSeconds,
    firing_event_id: notes.get(group)?.firingEventId ?? null,
    is_notified: notes.get(group)?.isNotified ?? false,
    told_at: instant(notes.get(group)?.lastNotifiedMs ?? null),
    inhibited_by: notes.get(group)?.inhibitedBy ?? null,
  }));
  await tx.$executeRaw`
    INSERT INTO alert_state AS s (rule_id, "group", labels, status, since, evaluated_at, value, has_value, evidence,
                                  sample_at, clear_since, ends_at, unevaluated_seconds, firing_event_id, is_notified, told_at,
                                  inhibited_by)
    SELECT ${ruleId}::uuid, "group", labels, status, since, evaluated_at, value, has_value, evidence,
           sample_at, clear_since, ends_at, unevaluated_seconds, firing_event_id, is_notified, told_at, inhibited_by
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r ("group" text, labels jsonb, status text,
           since timestamptz, evaluated_at timestamptz, value float8, has_value boolean, evidence jsonb,
           sample_at timestamptz, clear_since timestamptz, ends_at timestamptz, unevaluated_seconds int, firing_event_id uuid,
           is_notified boolean, told_at timestamptz, inhibited_by uuid)
    ON CONFLICT (rule_id, "group") DO UPDATE SET
      status = excluded.status, since = excluded.since, evaluated_at = excluded.evaluated_at,
      value = excluded.value, has_value = excluded.has_value, evidence = excluded.evidence,
      sample_at = excluded.sample_at, clear_since = excluded.clear_since, ends_at = excluded.ends_at,
      unevaluated_seconds = excluded.unevaluated_seconds,
      firing_event_id = excluded.firing_event_id,
      is_notified = excluded.is_notified, told_at = excluded.told_at, inhibited_by = excluded.inhibited_by`;
}

/** Resolves the alerts of a rule that changes or ends, and deletes its states. */
export async function endStates(tx: Transaction, rule: StoredRule, now: Date): Promise<void> {
  const stored = await tx.alertState.findMany({ where: { ruleId: rule.id } });
  const firing = stored.filter(({ status }) => status === "firing");
  const events = firing.map(
    (state): AlertTransition => ({
      kind: "resolved",
      atMs: now.getTime(),
      state: {
        group: state.group,
        labels: storedLabels(state),
        status: "ok",
        sinceMs: now.getTime(),
        evaluatedMs: now.getTime(),
        value: state.value,
        hasValue: false,
        evidence: null,
        sampleMs: now.getTime(),
        clearSinceMs: null,
        endsMs: null,
        unevaluatedSeconds: state.unevaluatedSeconds,
      },
    }),
  );
  await recordEvaluation(tx, rule, stored, { states: [], events }, now);
}
