import type { DueRows, RenewableTable } from "../../lease/lease.ts";

export interface SlotName {
  scheduleId: string;
  plannedAt: Date;
}

type SlotKey = { readonly schedule_id: string; readonly planned_at: Date };

export const leasedSlots: RenewableTable<{ schedule_id: "text"; planned_at: "timestamptz" }> = {
  name: "schedule_run",
  key: { schedule_id: "text", planned_at: "timestamptz" },
  until: "lease_until",
  heldState: "running",
  hasClaimant: true,
};

export const slotKey = ({ scheduleId, plannedAt }: SlotName): SlotKey => ({
  schedule_id: scheduleId,
  planned_at: plannedAt,
});

export const slotName = ({ schedule_id: scheduleId, planned_at: plannedAt }: SlotKey): SlotName => ({
  scheduleId,
  plannedAt,
});

/** Finds slots that are due at a vantage point, oldest first; null means the worker beside the console. */
export const slotDueAt = (vantageNodeId: string | null, now: Date): DueRows => ({
  join: "JOIN benchmark_plan AS p ON p.schedule_id = r.schedule_id",
  where: ({ value }) => `r.state = 'queued'
    AND coalesce(r.start_after, r.planned_at) <= ${value(now, "timestamptz")}
    AND p.vantage_node_id IS NOT DISTINCT FROM ${value(vantageNodeId, "uuid")}`,
  orderBy: "coalesce(r.start_after, r.planned_at), r.schedule_id",
  countMax: 1,
});

/** Finds the slots that a claimant runs. */
export const slotHeldBy = (claimant: string): Pick<DueRows, "where"> => ({
  where: ({ value }) => `r.state = 'running' AND r.claimed_by = ${value(claimant, "text")}`,
});
