/** Queues messages for channels in the transaction of their event. */
import type { Transaction } from "@stashlight/db";
import type { StoredRule } from "./rule-rows.ts";

export interface DueMessage {
  readonly eventId: string;
  readonly at: Date;
}

/** Channels of a rule, or the default ones. */
async function findChannelIds(tx: Transaction, rule: StoredRule): Promise<string[]> {
  const channels = await tx.alertChannel.findMany({
    where: {
      isEnabled: true,
      ...(rule.channelIds.length > 0 ? { id: { in: rule.channelIds } } : { isDefault: true }),
    },
    select: { id: true },
  });
  return channels.map(({ id }) => id);
}

export async function queueMessages(
  tx: Transaction,
  rule: StoredRule,
  due: readonly DueMessage[],
): Promise<void> {
  if (due.length === 0) return;
  const channelIds = await findChannelIds(tx, rule);
  await tx.alertDelivery.createMany({
    data: due.flatMap(({ eventId, at }) =>
      channelIds.map((channelId) => ({ eventId, channelId, state: "waiting", nextAttemptAt: at })),
    ),
    skipDuplicates: true,
  });
}

/** Drops queued reminders, which are useless once the alert is acknowledged. */
export const dropReminders = (tx: Transaction, firingEventId: string): Promise<void> =>
  dropWaiting(tx, [firingEventId], ["reminder"]);

/**
 * Drops queued reminders and messages about late joiners, which are useless once a later message names every firing
 * group, or the alert has ended.
 */
export const dropOvertaken = (tx: Transaction, firingEventIds: readonly string[]): Promise<void> =>
  dropWaiting(tx, firingEventIds, ["reminder", "joined"]);

async function dropWaiting(
  tx: Transaction,
  firingEventIds: readonly string[],
  kinds: ("reminder" | "joined")[],
): Promise<void> {
  if (firingEventIds.length === 0) return;
  await tx.alertDelivery.deleteMany({
    where: { state: "waiting", event: { kind: { in: kinds }, firingEventId: { in: [...firingEventIds] } } },
  });
}
