"use client";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { UiLink } from "@stashlight/ui";
import { EmptyState } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Server } from "lucide-react";
import { usePlaceHref } from "./use-place.ts";

export function NoNodes({ role }: { role: Role }) {
  return (
    <EmptyState
      icon={<Server />}
      title="No nodes enrolled"
      action={roleIncludes(role, "admin") && <LinkButton href="/admin/nodes">Enrol nodes</LinkButton>}
    >
      {roleIncludes(role, "admin")
        ? "Create an enrolment token under Manage, Nodes, and run its command on the machine."
        : "An admin enrols nodes under Manage, Nodes."}
    </EmptyState>
  );
}

/** Shown for a link to a node or a drive that does not exist. */
export function NoPlace({ name }: { name: string }) {
  const href = usePlaceHref();
  return (
    <EmptyState icon={<Server />} title={`There is no “${name}”`}>
      It was revoked or renamed, or the link is mistyped. <UiLink href={href({})}>View all vaults</UiLink>.
    </EmptyState>
  );
}
