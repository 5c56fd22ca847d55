import type { RenewableTable } from "../lease/lease.ts";

export const leasedSimulations: RenewableTable<{ id: "uuid" }> = {
  name: "simulation_run",
  key: { id: "uuid" },
  until: "lease_until",
  heldState: "running",
  hasClaimant: true,
};
