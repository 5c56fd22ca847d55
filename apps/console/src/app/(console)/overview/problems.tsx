"use client";
import type { FiringAlert } from "@stashlight/contracts/alert/event";
import { describeSilence, type VaultSilence } from "@stashlight/contracts/node/silence";
import type { SystemHealth } from "@stashlight/contracts/process/health";
import { type Status, UiLink } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Fragment, type ReactNode } from "react";
import { type AlertCause, formatInhibited, orderedCauses } from "../../../client/alerts.ts";
import { severityStatus } from "../../../client/firing-count.ts";
import { formatHealthSummary, worstFirst } from "../../../client/health-checks.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useSilences } from "../charts/use-vault-state.ts";
import { describeNoProblems } from "./figures-age.ts";
import { Problem } from "./problem.tsx";
import { type FigureLine, joinProblems } from "./problem-lines.ts";
import { useVaultProblems, VaultProblem, type VaultProblemProps } from "./vault-figures.tsx";

/** Shows the worst problems at once and the others on a click, to leave room for figures and charts. */
const SHOWN_MAX = 3;

interface ProblemsProps {
  readonly health: SystemHealth;
  /** Undefined while loading. */
  readonly firing: readonly FiringAlert[] | undefined;
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
  const { ofAlerts, ofFigures } = joinProblems(ofVaults.found, orderedCauses(firing));
  const problems = [
    ...ofAlerts.map(ofCause),
    ...silencesIn(silences.filter(({ vault }) => asked?.includes(vault) ?? true)),
    ...ofFigures.map(ofFigure),
    ...checksIn(health),
  ].sort((a, b) => Number(b.status === "bad") - Number(a.status === "bad"));
  const others = problems.slice(SHOWN_MAX);
  return (
    <Section title="Problems" className="relative">
      {problems.length === 0 && (
        <Callout {...describeNoProblems(ofVaults.age)}>{formatHealthSummary(health.checks)}</Callout>
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

/** Names the alert of a figure; the figure's own sentence has the current value. */
function AlertSince({ cause: { alerts, inhibited } }: { cause: AlertCause }) {
  const [{ ruleName, since, path, acknowledged, incidentEnd: end }] = alerts;
  return (
    <>
      Alert <UiLink href={path}>{ruleName}</UiLink> firing since <Time value={since} show="clock" />
      {end !== null && `; ${end}`}. {acknowledged !== null && `Acknowledged by ${acknowledged.by}. `}
      {inhibited.length > 0 && formatInhibited(inhibited)}
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
    .map(({ id, state, title, sentence }) => ({
      key: `check ${id}`,
      status: state,
      shown: (
        <Problem status={state} title={`${title}:`} link={{ href: "/health", label: "See why" }}>
          {sentence}
        </Problem>
      ),
    }));

function CauseProblem({ cause: { title, inhibited, alerts } }: { cause: AlertCause }) {
  const [{ severity, since, path, acknowledged }] = alerts;
  return (
    <Problem status={severityStatus[severity]} title={title} link={{ href: path, label: "View chart" }}>
      Firing since <Time value={since} show="clock" />.{" "}
      {acknowledged !== null && `Acknowledged by ${acknowledged.by}. `}
      {inhibited.length > 0 && formatInhibited(inhibited)}
    </Problem>
  );
}
