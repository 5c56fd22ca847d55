import type { Metadata } from "next";
import { RoleGate } from "../../role-gate.tsx";
import { AuditPage } from "./audit-page.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default function AuditRoute() {
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="admin" title="Audit log">
      <AuditPage />
    </RoleGate>
  );
}
