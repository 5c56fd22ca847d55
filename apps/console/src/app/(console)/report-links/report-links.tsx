"use client";
import type { ReportKind } from "@stashlight/contracts/report-link";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";

interface ReportLinksProps {
  kind: ReportKind;
  /** Name of the reports' subject. */
  subjectName: string;
  role: Role;
}

export function ReportLinks({ kind, subjectName, role }: ReportLinksProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const list = useQuery(trpc.reportLink.list.queryOptions({ kind }));
  const revoke = useMutation(
    trpc.reportLink.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.reportLink.pathFilter()),
    }),
  );
  const links = list.data?.filter((link) => link.subjectName === subjectName) ?? [];
  if (links.length === 0) return null;
  return (
    <Section title="Report links">
      <ul aria-label="Report links" className="divide-y divide-line rounded-md border border-line bg-surface">
        {links.map(({ id, title, createdAt, createdByName, expiresAt, isOpen, revokedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-3 py-2">
            <span className="min-w-40 grow font-medium text-ink">{title}</span>
            <span className="text-sm text-faint">
              by {createdByName} <Time value={createdAt} show="age" />, until <Time value={expiresAt} />
            </span>
            <Badge status={isOpen ? "good" : "unknown"}>
              {isOpen ? "Open" : revokedAt === null ? "Expired" : "Revoked"}
            </Badge>
            {isOpen && roleIncludes(role, "operator") && (
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Revoke the link to ${title}`}
                onClick={() => revoke.mutate({ kind, reportId: id })}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
