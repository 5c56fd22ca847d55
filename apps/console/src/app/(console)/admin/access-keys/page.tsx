import type { Metadata } from "next";
import { RoleGate } from "../../role-gate.tsx";
import { AccessKeysPage } from "./access-keys-page.tsx";

export const metadata: Metadata = { title: "Access keys" };

export default function AccessKeysRoute() {
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="admin" title="Access keys">
      <AccessKeysPage />
    </RoleGate>
  );
}
