"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { SystemHealth } from "@stashlight/contracts/health";
import { describeSilence, type VaultSilence } from "@stashlight/contracts/node";
import { type Status, UiLink } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Fragment, type ReactNode } from "react";
import { type AlertCause, causeTime, formatInhibited, orderedCauses } from "../../../client/alerts.ts";
import { severityStatus } from "../../../client/firing-count.ts";
import { formatHealthSummary, worstFirst } from "../../../client/health-checks.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useSilences } from "../charts/use-vault-state.ts";
import { describeNoProblems, type FiguresAge } from "./figures-age.ts";
import { Problem } from "./problem.tsx";
import { type FigureLine, joinProblems } from "./problem-lines.ts";
import { useVaultProblems, VaultProblem, type VaultProblemProps } from "./vault-figures.tsx";

/** Shows the worst problems at once and the others on a click, to leave room for figures and charts. */
const SHOWN_MAX = 3;

interface ProblemsProps {
  readonly health: SystemHealth;
  /** Undefined while loading, and null if they could not be read. */
  readonly firing: readonly FiringAlert[] | null | undefined;
}

interface Listed {
  readonly key: string;
  readonly status: Status;
  readonly shown: ReactNode;
}

/** Everything that needs attention, worst first: the vaults' figures, firing alerts, and failed health checks. */
export function Problems({ health, firing }: ProblemsProps) {
  const ofVaults = useVaultProblems();
  const { asked } = useScope();
  const silences = useSilences();
  // Waits for all sources, because each later problem would push the charts down.
  if (firing === undefined || ofVaults === null || silences === null) return <Skeleton height={44} />;
  const { ofAlerts, ofFigures } = joinProblems(ofVaults.found, orderedCauses(firing ?? []));
  const problems = [
    ...ofAlerts.map(ofCause),
    ...silencesIn(silences.filter(({ vault }) => asked?.includes(vault) ?? true)),
    ...ofFigures.map(ofFigure),
    ...(firing === null ? [unreadAlerts] : []),
    ...checksIn(health),
  ].sort((a, b) => Number(b.status === "bad") - Number(a.status === "bad"));
  const others = problems.slice(SHOWN_MAX);
  return (
    <Section title="Problems" className="relative">
      {problems.length === 0 && (
        <NoProblems age={ofVaults.age}>
          {formatHealthSummary(health.checks)} <ReadAge checks={health.checks} />
        </NoProblems>
      )}
      {problems.length > 0 && (
        <div className="flex flex-col gap-1.5">
          {problems.slice(0, SHOWN_MAX).map(({ key, shown }) => (
            <Fragment key={key}>{shown}</Fragment>
          ))}
          {others.length > 0 && (
            // The summary is beside the section's title, where it takes no height.
            <details className="-mt-1.5 open:mt-0">
              <summary className="absolute top-0 right-0 cursor-pointer rounded-sm text-muted">
                {others.length} more {others.length === 1 ? "problem" : "problems"}
              </summary>
              <div className="flex flex-col gap-1.5">
                {others.map(({ key, shown }) => (
                  <Fragment key={key}>{shown}</Fragment>
                ))}
              </div>
            </details>
          )}
        </div>
      )}
    </Section>
  );
}

function NoProblems({ age, children }: { age: FiguresAge; children: ReactNode }) {
  const { status, title } = describeNoProblems(age);
  const dated = age.reportedMs != null && (
    <>
      {" "}
      as of <Time value={age.reportedMs} show="age" />
    </>
  );
  return (
    <Callout
      status={status}
      title={
        <>
          {title}
          {dated}
        </>
      }
    >
      {children}
    </Callout>
  );
}

const ofFigure = ({ figure, cause, followed }: FigureLine<VaultProblemProps>): Listed => ({
  key: `figure ${figure.id}`,
  status: figure.status ?? "warning",
  shown: (
    <VaultProblem {...figure}>
      {followed.map(({ problem }) => `${problem} `)}
      {cause !== null && <AlertSince cause={cause} />}
    </VaultProblem>
  ),
});

const ofCause = (cause: AlertCause): Listed => ({
  key: `alert ${cause.key}`,
  status: severityStatus[cause.alerts[0].severity],
  shown: <CauseProblem cause={cause} />,
});

const unreadAlerts: Listed = {
  key: "unread alerts",
  status: "unknown",
  shown: (
    <Problem
      status="unknown"
      title="Firing alerts are not shown:"
      link={{ href: "/alerts", label: "See alerts" }}
    >
      they could not be read. The page tries again.
    </Problem>
  ),
};

/** Names the alert of a figure; the figure's own sentence has the current value. */
function AlertSince({ cause }: { cause: AlertCause }) {
  const [{ ruleName, path, incidentEnd: end }] = cause.alerts;
  return (
    <>
      Alert <UiLink href={path}>{ruleName}</UiLink> firing{" "}
      <FiringSince cause={cause}>{end !== null && `; ${end}`}</FiringSince>
    </>
  );
}

/** Start of an alert, the time of its figures, who acknowledged it, and the alerts that it inhibits. */
function FiringSince({ cause, children }: { cause: AlertCause; children?: ReactNode }) {
  const [{ since, acknowledged }] = cause.alerts;
  const { word, at } = causeTime(cause);
  return (
    <>
      since <Time value={since} show="clock" />
      {children}, {word} <Time value={at} show="age" />.{" "}
      {acknowledged !== null && `Acknowledged by ${acknowledged.by}. `}
      {cause.inhibited.length > 0 && formatInhibited(cause.inhibited)}
    </>
  );
}

/** Silent nodes whose alert does not fire yet. */
const silencesIn = (silences: readonly VaultSilence[]): Listed[] =>
  silences
    .filter(({ isAlerted }) => !isAlerted)
    .map((silence) => ({
      key: `silence ${silence.vault}`,
      status: "bad",
      shown: (
        <Problem
          status="bad"
          title={`${describeSilence(silence)}.`}
          link={{ href: `/vaults?${new URLSearchParams({ vault: silence.vault })}`, label: "See nodes" }}
        >
          Check that the agents run and reach the ingest.
        </Problem>
      ),
    }));

const checksIn = ({ checks }: SystemHealth): Listed[] =>
  worstFirst(checks)
    .filter(({ state }) => state === "bad" || state === "warning")
    .map((check) => ({
      key: `check ${check.id}`,
      status: check.state,
      shown: (
        <Problem status={check.state} title={`${check.title}:`} link={{ href: "/health", label: "See why" }}>
          {check.sentence} <ReadAge checks={[check]} />
        </Problem>
      ),
    }));

/** Age of the reading of these checks. Some judge older facts, such as the chain of the audit log, which /health dates. */
function ReadAge({ checks }: Pick<SystemHealth, "checks">) {
  const oldestMs = Math.min(...checks.map(({ checkedAt }) => checkedAt.getTime()));
  return (
    <>
      Read <Time value={oldestMs} show="age" />.
    </>
  );
}

function CauseProblem({ cause }: { cause: AlertCause }) {
  const [{ severity, path }] = cause.alerts;
  return (
    <Problem status={severityStatus[severity]} title={cause.title} link={{ href: path, label: "View chart" }}>
      Firing <FiringSince cause={cause} />
    </Problem>
  );
}
