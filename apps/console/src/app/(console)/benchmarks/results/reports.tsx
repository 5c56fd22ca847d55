"use client";
import type { Role } from "@stashlight/contracts";
import { roleIncludes } from "@stashlight/contracts/roles";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";

/** Links to reports of the plan that were given out. */
export function Reports({ planName, role }: { planName: string; role: Role }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const reports = useQuery(trpc.benchmarkReport.list.queryOptions());
  const revoke = useMutation(
    trpc.benchmarkReport.revoke.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.benchmarkReport.list.queryFilter()),
    }),
  );
  const own = reports.data?.filter((report) => report.subjectName === planName) ?? [];
  if (own.length === 0) return null;
  return (
    <Section title="Report links">
      <ul aria-label="Report links" className="divide-y divide-line rounded-md border border-line bg-surface">
        {own.map(({ id, title, createdAt, createdByName, expiresAt, isOpen, revokedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-3 py-2">
            <span className="min-w-40 grow font-medium text-ink">{title}</span>
            <span className="text-sm text-faint">
              by {createdByName} <Time value={createdAt} show="relative" />, until <Time value={expiresAt} />
            </span>
            <Badge status={isOpen ? "good" : "unknown"}>
              {isOpen ? "Open" : revokedAt === null ? "Expired" : "Revoked"}
            </Badge>
            {isOpen && roleIncludes(role, "operator") && (
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Revoke the link to ${title}`}
                onClick={() => revoke.mutate({ reportId: id })}
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
