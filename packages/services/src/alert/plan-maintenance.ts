import { formatMatchers, occurrenceFrom, type planMaintenanceInput } from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { alertSilenceColumns } from "@stashlight/db/columns/alert";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { findRule } from "./stored-rule.ts";

type Plan = z.output<typeof planMaintenanceInput>;

/**
 * Plans a maintenance window, during which alerts are recorded without notifying channels; those that still fire at its
 * end are sent.
 */
export async function planMaintenance({ ctx, input }: Verb<Plan>): Promise<{ silenceId: string }> {
  const { userId, name } = requireRole(ctx, "operator");
  const { ruleId, reason, startMs, endMs, isWeekly } = input;
  // Leaves out absent labels, which would otherwise be stored without a value.
  const labels = Object.fromEntries(
    Object.entries(input.labels).flatMap(([label, values]) =>
      values === undefined ? [] : [[label, values]],
    ),
  );
  const silenceId = newId();
  const now = ctx.platform.now();
  if (occurrenceFrom({ startMs, endMs, isWeekly, endedMs: null }, now.getTime()) === null) {
    throw new StashlightError("invalid_input", "The window has already ended.", { field: "endMs" });
  }
  await ctx.platform.db.$transaction(async (tx) => {
    const rule = ruleId === null ? null : await findRule(tx, ruleId);
    await refuseUnknownPlaces(tx, input.labels);
    await tx.alertSilence.create({
      data: {
        id: silenceId,
        ruleId,
        labels: alertSilenceColumns.labels.write(labels),
        reason,
        createdById: userId,
        createdByName: name,
        createdAt: now,
        startsAt: new Date(startMs),
        endsAt: new Date(endMs),
        isMaintenance: true,
        isWeekly,
      },
    });
    await writeAudit(tx, ctx, {
      action: "alert.maintenance_planned",
      target: { kind: "silence", id: silenceId, name: rule?.name ?? "every rule" },
      after: {
        where: formatMatchers(labels),
        reason,
        isWeekly,
        startsAt: new Date(startMs).toISOString(),
        endsAt: new Date(endMs).toISOString(),
      },
    });
  });
  return { silenceId };
}

/** Refuses unknown names, because a misspelt one would silence nothing and page a person during the maintenance. */
async function refuseUnknownPlaces(
  tx: Transaction,
  { vault = [], node = [] }: Plan["labels"],
): Promise<void> {
  const nodes = await tx.node.findMany({
    where: { OR: [{ vault: { in: vault } }, { name: { in: node } }] },
    select: { name: true, vault: true },
  });
  const [vaults, names] = [new Set(nodes.map((each) => each.vault)), new Set(nodes.map((each) => each.name))];
  const refuse = (what: string, name: string | undefined, field: string) => {
    if (name === undefined) return;
    throw new StashlightError("invalid_input", `There is no ${what} "${name}".`, { field });
  };
  refuse(
    "vault",
    vault.find((each) => !vaults.has(each)),
    "labels.vault",
  );
  refuse(
    "node",
    node.find((each) => !names.has(each)),
    "labels.node",
  );
}
