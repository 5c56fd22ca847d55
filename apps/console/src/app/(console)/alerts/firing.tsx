"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import { Time } from "@stashlight/ui/data";
import { Badge, Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { UseQueryResult } from "@tanstack/react-query";
import { BellOff, ChartLine } from "lucide-react";
import { severityStatus } from "../../../client/alerts.ts";
import { QueryError } from "../query-state.tsx";
import type { SilenceSubject } from "./silence-dialog.tsx";

interface FiringProps {
  firing: UseQueryResult<FiringAlert[], unknown>;
  /** Null: the person may not. */
  onSilence: ((subject: SilenceSubject) => void) | null;
}

/** What needs somebody now, worst first; then what is about to. */
export function Firing({ firing, onSilence }: FiringProps) {
  const alerts = firing.data;
  const isWell = alerts?.every(({ status }) => status !== "firing");
  return (
    <Section title="Firing now">
      {firing.isPending && <Skeleton width="100%" height={64} />}
      {alerts === undefined && firing.isError && (
        <QueryError what="The alerts" error={firing.error} onRetry={() => void firing.refetch()} />
      )}
      {isWell && (
        <Callout status="good" title="No alerts are firing">
          Every rule is evaluated every 15 s.
        </Callout>
      )}
      {alerts?.map((alert) => (
        <FiringCallout key={`${alert.ruleId} ${alert.group}`} alert={alert} onSilence={onSilence} />
      ))}
    </Section>
  );
}

function FiringCallout({ alert, onSilence }: { alert: FiringAlert } & Pick<FiringProps, "onSilence">) {
  const isPending = alert.status === "pending";
  return (
    <Callout
      status={isPending ? "info" : severityStatus[alert.severity]}
      title={alert.summary}
      action={
        <span className="flex flex-wrap gap-2">
          {onSilence !== null && (
            <Button
              size="sm"
              icon={<BellOff />}
              aria-label={`Silence ${alert.summary}`}
              onClick={() =>
                onSilence({ ruleId: alert.ruleId, ruleName: alert.ruleName, labels: alert.labels })
              }
            >
              Silence
            </Button>
          )}
          <LinkButton
            size="sm"
            href={alert.path}
            icon={<ChartLine aria-hidden="true" />}
            aria-label={`Chart of ${alert.summary}`}
          >
            Chart
          </LinkButton>
        </span>
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge className="capitalize">{isPending ? "pending" : alert.severity}</Badge>
        <span>
          {isPending ? "pending since " : "firing since "}
          <Time value={alert.since} show="relative" />
        </span>
        <span>
          evaluated <Time value={alert.evaluatedAt} show="relative" />
        </span>
        {alert.silencedUntil !== null && (
          <span>
            silenced until <Time value={alert.silencedUntil} />
          </span>
        )}
      </span>
    </Callout>
  );
}
