"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import { Time } from "@stashlight/ui/data";
import { Badge, Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { BellOff, ChartLine, Check } from "lucide-react";
import {
  type AlertCause,
  causeTime,
  formatInhibited,
  isInhibited,
  orderedCauses,
} from "../../../client/alerts.ts";
import { describeError } from "../../../client/errors.ts";
import { severityStatus } from "../../../client/firing-count.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import type { AcknowledgeSubject } from "./acknowledge-dialog.tsx";
import type { SilenceSubject } from "./silence-dialog.tsx";

interface FiringProps {
  firing: UseQueryResult<FiringAlert[], unknown>;
  /** Null without permission. */
  onSilence: ((subject: SilenceSubject) => void) | null;
  onAcknowledge: ((subject: AcknowledgeSubject) => void) | null;
}

/** Lists firing alerts, worst first, and then pending ones. */
export function Firing({ firing, ...may }: FiringProps) {
  const alerts = firing.data;
  return (
    <Section title="Firing and pending">
      {firing.isPending && <Skeleton width="100%" height={64} />}
      {alerts === undefined && firing.isError && (
        <QueryError what="The alerts" error={firing.error} onRetry={() => void firing.refetch()} />
      )}
      {alerts?.length === 0 && (
        <Callout status="good" title="No alerts are firing">
          Every rule is evaluated every 15 s.
        </Callout>
      )}
      {alerts !== undefined &&
        orderedCauses(alerts).map((cause) => <CauseCallout key={cause.key} cause={cause} {...may} />)}
    </Section>
  );
}

type CauseProps = { cause: AlertCause } & Omit<FiringProps, "firing">;

function CauseCallout({ cause, ...may }: CauseProps) {
  const { alerts, title, inhibited } = cause;
  const [first] = alerts;
  const dated = causeTime(cause);
  const followers = alerts.filter(({ inhibitedBy }) => inhibitedBy !== null);
  const follows = followers[0]?.inhibitedBy ?? null;
  const isPending = first.status === "pending";
  const pendingCount = alerts.filter(({ status }) => status === "pending").length;
  return (
    <Callout
      status={isPending || isInhibited(cause) ? "info" : severityStatus[first.severity]}
      title={title}
      action={<Actions cause={cause} {...may} />}
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge className="capitalize">{isPending ? "pending" : first.severity}</Badge>
        <span>
          {isPending ? "pending since " : "firing since "}
          <Time value={first.since} show="clock" />
        </span>
        <span>
          {dated.word} <Time value={dated.at} show="age" />
        </span>
        {!isPending && pendingCount > 0 && <span>{pendingCount} more pending</span>}
        <Silenced alerts={alerts} />
      </span>
      {follows !== null && (
        <p className="first-letter:uppercase">
          {followers.length < alerts.length && `${followers.length} of ${alerts.length} are `}
          inhibited by{" "}
          <a href={`/alerts/${follows.ruleId}`} className="underline">
            {follows.ruleName}
          </a>
          , so channels are not notified: {follows.reason}.
        </p>
      )}
      {inhibited.length > 0 && <p>{formatInhibited(inhibited)}</p>}
      {first.acknowledged !== null && (
        <p>
          Acknowledged by {first.acknowledged.by} <Time value={first.acknowledged.at} show="age" />
          {first.acknowledged.note && `: ${first.acknowledged.note}`}{" "}
          {may.onAcknowledge !== null && <Withdraw ruleId={first.ruleId} vault={first.vault} title={title} />}
        </p>
      )}
      {alerts.length > 1 && <Members alerts={alerts} />}
    </Callout>
  );
}

function Actions({ cause: { alerts, title, silenceLabels }, onSilence, onAcknowledge }: CauseProps) {
  const [{ ruleId, ruleName, vault, path, status, acknowledged }] = alerts;
  return (
    <span className="flex flex-wrap gap-2">
      {onAcknowledge !== null && status === "firing" && acknowledged === null && (
        <Button
          size="sm"
          icon={<Check />}
          aria-label={`Acknowledge ${title}`}
          onClick={() => onAcknowledge({ ruleId, vault, title })}
        >
          Acknowledge
        </Button>
      )}
      {onSilence !== null && (
        <Button
          size="sm"
          icon={<BellOff />}
          aria-label={`Silence ${title}`}
          onClick={() => onSilence({ ruleId, ruleName, labels: silenceLabels })}
        >
          Silence
        </Button>
      )}
      <LinkButton
        size="sm"
        href={path}
        icon={<ChartLine aria-hidden="true" />}
        aria-label={`Chart of ${title}`}
      >
        Chart
      </LinkButton>
    </span>
  );
}

/** Withdraws an acknowledgement that was wrong or whose author has left. */
function Withdraw({ title, ...place }: AcknowledgeSubject) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const withdraw = useMutation(
    trpc.alert.withdrawAcknowledgement.mutationOptions({
      onSuccess: () => {
        toast({ title: "Acknowledgement withdrawn", description: title, status: "good" });
      },
      onError: (error) => {
        toast({
          title: "The acknowledgement was not withdrawn",
          description: describeError(error),
          status: "bad",
        });
      },
      onSettled: () => queryClient.invalidateQueries(trpc.alert.pathFilter()),
    }),
  );
  return (
    <Button
      size="sm"
      variant="quiet"
      pending={withdraw.isPending}
      aria-label={`Withdraw the acknowledgement of ${title}`}
      title="Reminders are sent again until it resolves."
      onClick={() => withdraw.mutate(place)}
    >
      Withdraw
    </Button>
  );
}

function Silenced({ alerts }: Pick<AlertCause, "alerts">) {
  const silenced = alerts.filter(({ silencedUntil }) => silencedUntil !== null);
  const [first] = silenced;
  if (first === undefined) return null;
  if (silenced.length < alerts.length) {
    return (
      <span>
        {silenced.length} of {alerts.length} silenced
      </span>
    );
  }
  return (
    <span>
      {first.isInMaintenance ? "in maintenance until " : "silenced until "}
      <Time value={first.silencedUntil} />
    </span>
  );
}

/** Lists the alerts of one cause, each with its chart. */
function Members({ alerts }: Pick<AlertCause, "alerts">) {
  return (
    <details className="mt-2">
      <summary className="cursor-pointer">Show all {alerts.length}</summary>
      <ul className="mt-1 max-h-80 list-disc overflow-y-auto pl-5">
        {alerts.map(({ group, summary, since, path }) => (
          <li key={group}>
            <a href={path} className="underline">
              {summary}
            </a>{" "}
            <span className="text-muted">
              since <Time value={since} show="clock" />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
