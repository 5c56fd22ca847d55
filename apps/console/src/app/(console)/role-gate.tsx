import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { EmptyState } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { requirePrincipal } from "../../server/principal.ts";

/**
 * Shows a page to readers with the required role, and names the role to others. Protects nothing, because the services
 * check rights themselves; it only replaces a page full of refusals.
 */
export async function RoleGate({
  role,
  title,
  children,
}: {
  role: Role;
  title: string;
  children: ReactNode;
}) {
  const principal = await requirePrincipal();
  if (roleIncludes(principal.role, role)) return children;
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState icon={<Lock />} title={`You need the ${role} role`}>
        You are signed in as {principal.role}. Ask an admin to change your role if your work needs this page.
      </EmptyState>
    </Page>
  );
}
