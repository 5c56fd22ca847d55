import { randomUUID } from "node:crypto";
import type { Platform } from "@stashlight/services/platform";

export interface FiringDrives {
  readonly rule: string;
  readonly vault: string;
  readonly node: string;
}

/**
 * Seeds a rule that fires for drives of one node. The rule is turned off, so that no worker
 * evaluates it again.
 */
export async function seedFiringDrives({ db }: Platform, count: number): Promise<FiringDrives> {
  const ruleId = randomUUID();
  const label = ruleId.slice(0, 6);
  const [rule, vault, node] = [`Stall ${label}`, `vault-${label}`, `stash-${label}`];
  const now = new Date();
  await db.node.create({
    data: { id: randomUUID(), name: node, vault, role: "stash", status: "active" },
  });
  await db.alertRule.create({
    data: {
      id: ruleId,
      name: rule,
      description: "",
      query: {
        metric: "stashlight_stash_used_bytes",
        where: {},
        groupBy: ["node", "device"],
        across: "max",
      },
      condition: {
        kind: "threshold",
        statistic: "last",
        comparison: "above",
        threshold: 1e9,
        windowSeconds: 300,
      },
      forSeconds: 60,
      keepFiringSeconds: 60,
      noData: "keep",
      severity: "critical",
      isEnabled: false,
      createdAt: now,
      updatedAt: now,
    },
  });
  const groups = Array.from({ length: count }, (_, at) => JSON.stringify([node, `s${at}`]));
  const worst = { worst: "1.1 GB", worstValue: 1.1e9 + count - 1, worstGroup: groups.at(-1) ?? "" };
  const place = { ruleId, ruleName: rule, severity: "critical", vault };
  await db.alertIncident.create({
    data: {
      id: randomUUID(),
      ...place,
      ...worst,
      groups,
      openedAt: now,
      summary: `${rule} (vault ${vault}).`,
    },
  });
  await db.alertState.createMany({
    data: groups.map((group, at) => ({
      ruleId,
      group,
      labels: { node, device: `s${at}` },
      status: "firing",
      since: now,
      evaluatedAt: now,
      value: 1.1e9 + at,
      sampleAt: now,
    })),
  });
  return { rule, vault, node };
}
