import type { Metadata } from "next";
import { RoleGate } from "../../role-gate.tsx";
import { AuditPage } from "./audit-page.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default function AuditRoute() {
  return (
    <RoleGate role="admin" title="Audit log">
      <AuditPage />
    </RoleGate>
  );
}
