"use client";
import type { WeeklyReportSettings } from "@stashlight/contracts/user";
import { Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button, Switch } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";

export function WeeklyReportSection() {
  const trpc = useTRPC();
  const report = useQuery(trpc.weeklyReport.settings.queryOptions());
  return (
    <Section
      title="Weekly report"
      description="The week's events, capacity forecasts, slowdowns and benchmark verdicts, by e-mail on Monday morning."
    >
      {report.isPending && <Skeleton width="100%" height={96} />}
      {report.data === undefined && report.isError && (
        <QueryError what="The report" error={report.error} onRetry={() => void report.refetch()} />
      )}
      {report.data !== undefined && <Choice report={report.data} />}
    </Section>
  );
}

function Choice({ report }: { report: WeeklyReportSettings }) {
  const { isWanted, channelName, nextAt, timeZone, last } = report;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const subscribe = useMutation(
    trpc.weeklyReport.subscribe.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.weeklyReport.pathFilter()),
      onError: (error) =>
        toast({ title: "The choice was not saved", description: describeError(error), status: "bad" }),
    }),
  );
  const send = useMutation(
    trpc.weeklyReport.sendNow.mutationOptions({
      onSuccess: ({ week }) =>
        toast({ title: "Report sent", description: `The week of ${week}`, status: "good" }),
      onError: (error) =>
        toast({ title: "The report was not sent", description: describeError(error), status: "bad" }),
    }),
  );
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Mail me the weekly report"
        checked={isWanted}
        disabled={subscribe.isPending}
        onCheckedChange={(wanted) => subscribe.mutate({ isWanted: wanted })}
      />
      <p className="text-sm text-muted">
        {channelName === null
          ? "No e-mail channel is turned on, so nothing can be sent; an admin creates one in Manage > Channels. "
          : `Sent by the mail server of the channel ${channelName}. `}
        {nextAt !== null && (
          <>
            Next one: <Time value={nextAt} /> (Monday 08:00 {timeZone}).{" "}
          </>
        )}
        <LastReport last={last} />
      </p>
      <div>
        <Button
          icon={<Send />}
          pending={send.isPending}
          disabled={channelName === null}
          onClick={() => send.mutate()}
        >
          Send last week's report now
        </Button>
      </div>
    </div>
  );
}

function LastReport({ last }: Pick<WeeklyReportSettings, "last">) {
  if (last === null) return null;
  if (last.deliveredAt !== null) {
    return (
      <>
        The last one went out <Time value={last.deliveredAt} show="age" />.
      </>
    );
  }
  return last.lastError === null ? "One is being sent." : `The last one was not sent: ${last.lastError}`;
}
