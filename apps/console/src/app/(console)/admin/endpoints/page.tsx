import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { RoleGate } from "../../role-gate.tsx";
import { EndpointsPage } from "./endpoints-page.tsx";

export const metadata: Metadata = { title: "Endpoints" };

export default async function EndpointsRoute() {
  const { role } = await requirePrincipal();
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="operator" title="Endpoints">
      <EndpointsPage role={role} />
    </RoleGate>
  );
}
