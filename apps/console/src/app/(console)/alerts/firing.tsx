"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import { Time } from "@stashlight/ui/data";
import { Badge, Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { UseQueryResult } from "@tanstack/react-query";
import { BellOff, ChartLine } from "lucide-react";
import { type AlertCause, causesOf } from "../../../client/alerts.ts";
import { severityStatus } from "../../../client/firing-count.ts";
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
  return (
    <Section title="Firing now">
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
        causesOf(alerts).map((cause) => <CauseCallout key={cause.key} cause={cause} onSilence={onSilence} />)}
    </Section>
  );
}

function CauseCallout({ cause, onSilence }: { cause: AlertCause } & Pick<FiringProps, "onSilence">) {
  const { alerts, title, silenceLabels } = cause;
  const [first] = alerts;
  const { ruleId, ruleName, severity, path, since, evaluatedAt } = first;
  const isPending = first.status === "pending";
  const silenced = alerts.filter(({ silencedUntil }) => silencedUntil !== null);
  return (
    <Callout
      status={isPending ? "info" : severityStatus[severity]}
      title={title}
      action={
        <span className="flex flex-wrap gap-2">
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
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge className="capitalize">{isPending ? "pending" : severity}</Badge>
        <span>
          {isPending ? "pending since " : "firing since "}
          <Time value={since} show="relative" />
        </span>
        <span>
          evaluated <Time value={evaluatedAt} show="relative" />
        </span>
        {first.silencedUntil !== null && silenced.length === alerts.length && (
          <span>
            silenced until <Time value={first.silencedUntil} />
          </span>
        )}
        {silenced.length > 0 && silenced.length < alerts.length && (
          <span>
            {silenced.length} of {alerts.length} silenced
          </span>
        )}
      </span>
      {alerts.length > 1 && <Members alerts={alerts} />}
    </Callout>
  );
}

/** Each alert of a cause, with its chart. */
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
            <Time value={since} show="relative" />
          </li>
        ))}
      </ul>
    </details>
  );
}
