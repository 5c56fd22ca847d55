import { randomUUID } from "node:crypto";
import type { Platform } from "@stashlight/services/platform";

export interface FiringDrives {
  readonly rule: string;
  readonly vault: string;
  readonly node: string;
}

/** The rule is off, so that no worker evaluates it anew. */
export async function seedFiringDrives({ db }: Platform, count: number): Promise<FiringDrives> {
  const ruleId = randomUUID();
  const label = ruleId.slice(0, 6);
  const [rule, vault, node] = [`Stall ${label}`, `vault-${label}`, `stash-${label}`];
  const now = new Date();
  await db.node.create({
    data: { id: randomUUID(), name: node, vault, role: "stash", status: "active", lastSeenAt: now },
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
  await db.alertState.createMany({
    data: Array.from({ length: count }, (_, at) => ({
      ruleId,
      group: JSON.stringify([node, `s${at}`]),
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
