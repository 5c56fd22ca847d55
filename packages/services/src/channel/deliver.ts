/**
 * Delivers the outbox: every queued message is sent at least once. A worker leases the messages that it takes; if it
 * dies, the lease expires and another worker sends them again, with the same event id, so that receivers recognise
 * them. A channel is notified of an alert's end only after it was notified of the start, or after the message about the
 * start was dropped.
 */

import { StashlightError } from "@stashlight/contracts/errors";
import { HOUR_MS } from "@stashlight/contracts/time";
import type { Prisma } from "@stashlight/db";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { alertPath } from "../alert/link.ts";
import type { Core } from "../core.ts";
import { claimDue, type DueRows, type LeasedTable, leaseMoment } from "../lease/lease.ts";
import { statementsIn } from "../statements-in.ts";
import type { AlertMessage } from "./message.ts";
import { sendToChannel } from "./send.ts";

export const leaseMs = 60_000;
const batchSize = 10;
export const attemptsMax = 12;
const firstWaitMs = 10_000;
const longestWaitMs = HOUR_MS;

/** Wait before the next attempt: 10 s, 20 s, 40 s and so on, up to an hour. */
export const waitMs = (attempts: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, attempts - 1));

/** The outbox does not record the holder of a message; the next attempt is due when the lease ends. */
const leasedDeliveries: LeasedTable<{ event_id: "uuid"; channel_id: "uuid" }> = {
  name: "alert_delivery",
  key: { event_id: "uuid", channel_id: "uuid" },
  until: "next_attempt_at",
  heldState: "waiting",
};

const dueDeliveries: DueRows = {
  join: "JOIN alert_event AS e ON e.id = r.event_id",
  where: ({ now }) => `r.state = 'waiting' AND r.next_attempt_at <= ${now()}
    AND (e.kind = 'firing' OR NOT EXISTS (
      SELECT FROM alert_delivery AS f
       WHERE f.event_id = e.firing_event_id AND f.channel_id = r.channel_id AND f.state = 'waiting'))`,
  orderBy: "r.next_attempt_at",
  countMax: batchSize,
};

interface Claimed {
  event_id: string;
  channel_id: string;
  attempts: number;
}

/** Sends due messages; returns how many were delivered. */
export async function deliverAlerts(platform: Core): Promise<number> {
  const claim = { due: dueDeliveries, leaseMs };
  const claimed = await claimDue(statementsIn(platform.db), leasedDeliveries, claim, leaseMoment(platform));
  const delivered = await Promise.all(claimed.map((each) => deliverOne(platform, each)));
  return delivered.filter((isDelivered) => isDelivered).length;
}

type Delivery = Prisma.AlertDeliveryGetPayload<{ include: { event: true; channel: true } }>;

async function deliverOne(platform: Core, claimed: Claimed): Promise<boolean> {
  const key = { eventId: claimed.event_id, channelId: claimed.channel_id };
  const delivery = await platform.db.alertDelivery.findUnique({
    where: { eventId_channelId: key },
    include: { event: true, channel: true },
  });
  if (delivery === null) return false;
  const failure = await attempt(platform, delivery);
  const now = platform.now();
  const isLast = failure?.isFinal === true || claimed.attempts >= attemptsMax;
  await platform.db.alertDelivery.updateMany({
    where: { ...key, state: "waiting" },
    data:
      failure === null
        ? { state: "delivered", deliveredAt: now, lastError: null }
        : {
            state: isLast ? "failed" : "waiting",
            lastError: failure.reason,
            nextAttemptAt: new Date(now.getTime() + waitMs(claimed.attempts)),
          },
  });
  await platform.db.alertChannel.updateMany({
    where: { id: key.channelId },
    data: failure === null ? { lastDeliveredAt: now, lastError: null } : { lastError: failure.reason },
  });
  return failure === null;
}

interface Failure {
  reason: string;
  isFinal: boolean;
}

async function attempt(platform: Core, delivery: Delivery): Promise<Failure | null> {
  const { channel } = delivery;
  if (!channel.isEnabled) return { reason: "The channel was turned off.", isFinal: true };
  try {
    await sendToChannel(platform, channel, alertMessage(platform, delivery));
    return null;
  } catch (error) {
    // Errors that an admin can fix, such as a denied address, are retried too: they may be fixed by then.
    const reason = error instanceof StashlightError ? error.message : "It could not be sent.";
    return { reason, isFinal: false };
  }
}

function alertMessage(platform: Core, { event }: Delivery): AlertMessage {
  const many = event.message === null ? null : alertEventColumns.message.read(event.message, event.id);
  return {
    id: event.id,
    firingId: event.firingEventId,
    kind: alertEventColumns.kind.read(event.kind, event.id),
    rule: { id: event.ruleId, name: event.ruleName },
    severity: event.severity,
    labels: many?.labels ?? alertEventColumns.labels.read(event.labels, event.id),
    value: many === null ? event.value : many.value,
    summary: many?.summary ?? event.summary,
    ...(many === null ? {} : { groupCount: many.groupCount, groups: many.groups }),
    occurredAt: event.occurredAt,
    url: new URL(alertPath(event.ruleId, event.group, event.occurredAt.getTime()), platform.options.publicUrl)
      .href,
  };
}
