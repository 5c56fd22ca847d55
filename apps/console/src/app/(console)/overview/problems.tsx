"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { SystemHealth } from "@stashlight/contracts/process/health";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { type AlertCause, causesOf, formatInhibited, isInhibited } from "../../../client/alerts.ts";
import { severityStatus } from "../../../client/firing-count.ts";
import { formatHealthSummary, worstFirst } from "../../../client/health-checks.ts";
import { useVaultProblems, VaultProblem } from "./vault-figures.tsx";

/** The alerts page lists the others. */
const causeCountMax = 5;

interface ProblemsProps {
  readonly health: SystemHealth;
  readonly firing: readonly FiringAlert[];
}

/** Everything that needs a person: the vaults' figures, firing alerts and failed health checks. */
export function Problems({ health, firing }: ProblemsProps) {
  const problems = worstFirst(health.checks).filter(({ state }) => state === "bad" || state === "warning");
  const vaultProblems = useVaultProblems();
  // An alert that only follows from another one is told there.
  const causes = causesOf(firing).filter((cause) => !isInhibited(cause));
  return (
    <Section title="Problems">
      {vaultProblems.map((figure) => (
        <VaultProblem key={figure.id} {...figure} />
      ))}
      {causes.slice(0, causeCountMax).map((cause) => (
        <CauseProblem key={cause.key} cause={cause} />
      ))}
      {causes.length > causeCountMax && (
        <a href="/alerts" className="underline">
          {causes.length - causeCountMax} more
        </a>
      )}
      {problems.length === 0 && vaultProblems.length === 0 && firing.length === 0 ? (
        <Callout status="good" title="No problems">
          {formatHealthSummary(health.checks)}
        </Callout>
      ) : (
        problems.map((check) => (
          <Callout key={check.id} status={check.state} title={check.title}>
            {check.sentence}
          </Callout>
        ))
      )}
    </Section>
  );
}

function CauseProblem({ cause: { title, inhibited, alerts } }: { cause: AlertCause }) {
  const [{ severity, since, path, acknowledged }] = alerts;
  return (
    <Callout status={severityStatus[severity]} title={title}>
      Firing since <Time value={since} show="relative" />.{" "}
      {acknowledged !== null && `Acknowledged by ${acknowledged.by}. `}
      {inhibited.length > 0 && `${formatInhibited(inhibited)} `}
      <a href={path} className="underline">
        View chart
      </a>
    </Callout>
  );
}
