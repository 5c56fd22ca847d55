import type {
  acknowledgeAlertsInput,
  FiringAlert,
  withdrawAcknowledgementInput,
} from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { newId } from "../ids.ts";
import { storableText } from "../storable-text.ts";
import { findVaults } from "./group-vaults.ts";
import { dropReminders, queueMessages } from "./outbox.ts";
import { type StoredRule, storedLabels, storedSeverity } from "./rule-rows.ts";
import { findRule } from "./stored-rule.ts";

const summaryLengthMax = 800;

/**
 * Acknowledges the firing alerts of a rule in a vault, because a person is handling them. Channels that were notified
 * learn who acknowledged, and get no reminders until everything is resolved; groups that begin to fire later are still
 * sent.
 */
export async function acknowledgeAlerts({
  ctx,
  input: { ruleId, vault, note },
}: Verb<typeof acknowledgeAlertsInput>): Promise<void> {
  const { userId, name } = requireRole(ctx, "operator");
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = await findRule(tx, ruleId);
    const firing = await findFiringIn(tx, ruleId, vault);
    const first = firing.find(({ isNotified }) => isNotified) ?? firing[0];
    if (first === undefined) {
      throw new StashlightError("conflict", `"${rule.name}" is no longer firing in this vault.`);
    }
    const written = { note, createdById: userId, createdByName: name, createdAt: now };
    const key = { ruleId, vault };
    await tx.alertAcknowledgement.upsert({
      where: { ruleId_vault: key },
      create: { ...key, ...written },
      update: written,
    });
    const id = newId();
    const firingEventId = first.firingEventId ?? id;
    const incident = await tx.alertIncident.findFirst({ where: { ruleId, vault, endedAt: null } });
    if (incident !== null) {
      const acknowledgement = `${name}${note && `: ${note}`}`;
      await tx.alertIncident.update({ where: { id: incident.id }, data: { acknowledgement } });
    }
    await tx.alertEvent.create({
      data: {
        id,
        firingEventId,
        incidentId: incident?.id ?? null,
        ruleId,
        ruleName: rule.name,
        severity: storedSeverity(rule),
        kind: "acknowledged",
        group: first.group,
        labels: alertEventColumns.labels.write(vault === "" ? {} : { vault }),
        value: null,
        summary: describeAcknowledgement(rule, vault, name, note),
        occurredAt: now,
      },
    });
    await dropReminders(tx, firingEventId);
    // Channels that were not notified of the alert are not notified of its acknowledgement.
    if (first.isNotified) await queueMessages(tx, rule, [{ eventId: id, at: now }]);
    await writeAudit(tx, ctx, {
      action: "alert.acknowledged",
      target: { kind: "alert rule", id: ruleId, name: rule.name },
      after: { vault, note },
    });
  });
}

/** Withdraws the acknowledgement; channels that were notified get reminders again as the rule is configured. */
export async function withdrawAcknowledgement({
  ctx,
  input: { ruleId, vault },
}: Verb<typeof withdrawAcknowledgementInput>): Promise<void> {
  requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = await findRule(tx, ruleId);
    const where = { ruleId_vault: { ruleId, vault } };
    const written = await tx.alertAcknowledgement.findUnique({ where });
    if (written === null) {
      throw new StashlightError("conflict", `"${rule.name}" is not acknowledged in this vault.`);
    }
    await tx.alertAcknowledgement.delete({ where });
    await writeAudit(tx, ctx, {
      action: "alert.acknowledgement_withdrawn",
      target: { kind: "alert rule", id: ruleId, name: rule.name },
      before: { vault, note: written.note, by: written.createdByName },
    });
  });
}

async function findFiringIn(tx: Transaction, ruleId: string, vault: string) {
  const states = await tx.alertState.findMany({
    where: { ruleId, status: "firing" },
    orderBy: [{ since: "asc" }, { group: "asc" }],
  });
  const vaultOf = await findVaults(tx, states.map(storedLabels));
  return states.filter((state) => vaultOf(storedLabels(state)) === vault);
}

function describeAcknowledgement({ name }: StoredRule, vault: string, by: string, note: string): string {
  const where = vault === "" ? "" : ` (vault ${vault})`;
  return storableText(`${name}${where}: acknowledged by ${by}${note && `: ${note}`}`, summaryLengthMax);
}

/** Acknowledgements by "ruleId vault". */
export type Acknowledgements = ReadonlyMap<string, NonNullable<FiringAlert["acknowledged"]>>;

export async function findAcknowledgements(db: Core["db"]): Promise<Acknowledgements> {
  const rows = await db.alertAcknowledgement.findMany();
  return new Map(
    rows.map(({ ruleId, vault, note, createdByName, createdAt }) => [
      `${ruleId} ${vault}`,
      { by: createdByName, note, at: createdAt },
    ]),
  );
}

/** Returns the vaults in which the rule is acknowledged, and ends acknowledgements of resolved alerts. */
export async function refreshAcknowledgements(
  tx: Transaction,
  ruleId: string,
  firingVaults: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const rows = await tx.alertAcknowledgement.findMany({ where: { ruleId }, select: { vault: true } });
  const kept = new Set<string>();
  const over: string[] = [];
  for (const { vault } of rows) {
    if (firingVaults.has(vault)) kept.add(vault);
    else over.push(vault);
  }
  if (over.length > 0) await tx.alertAcknowledgement.deleteMany({ where: { ruleId, vault: { in: over } } });
  return kept;
}
