"use client";
import type { Role } from "@stashlight/contracts/user/roles";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { LinkList } from "../../report-links/link-list.tsx";

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
  return (
    <LinkList
      links={reports.data?.filter((report) => report.subjectName === planName) ?? []}
      role={role}
      onRevoke={(reportId) => revoke.mutate({ reportId })}
    />
  );
}
