import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { RoleGate } from "../../role-gate.tsx";
import { UsersPage } from "./users-page.tsx";

export const metadata: Metadata = { title: "Users" };

export default async function UsersRoute() {
  const { userId } = await requirePrincipal();
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="admin" title="Users">
      <UsersPage ownId={userId} />
    </RoleGate>
  );
}
