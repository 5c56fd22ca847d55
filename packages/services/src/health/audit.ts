/** Health of the audit log: whether its chain of events is intact, and whether this process could change it. */
import { headlineFigures } from "@stashlight/contracts/health";
import { HOUR_MS } from "@stashlight/contracts/time";
import { auditGuardQuery, auditorStatements, type RuntimeRights, runtimeRightsQuery } from "@stashlight/db";
import { allNamed } from "../all-named.ts";
import type { Core } from "../core.ts";
import { auditBrokenPrefix } from "../housekeeping/outcome.ts";
import { present } from "../present.ts";
import type { Finding } from "./finding.ts";

/** Housekeeping verifies every hour; after this long its result no longer counts. */
const chainCheckStaleMs = 3 * HOUR_MS;

export async function checkAudit(platform: Core): Promise<Finding> {
  const { chain, rights, guards } = await allNamed({
    chain: checkChain(platform),
    rights: platform.db.$queryRawUnsafe<RuntimeRights[]>(runtimeRightsQuery),
    guards: platform.db.$queryRawUnsafe<{ owner: string; isShared: boolean }[]>(auditGuardQuery),
  });
  const { login, excess } = present(rights[0]);
  const [guard] = guards;
  const figures: Finding["figures"] = [
    ...chain.figures,
    { name: "Append-only", value: excess === null ? "yes" : "no" },
    { name: "Head kept by", value: guard?.owner ?? "nobody" },
  ];
  // Damage to the log takes precedence over a risk to it.
  if (chain.state === "bad") return { ...chain, figures };
  if (excess !== null) {
    return {
      state: "warning",
      sentence: `The database login "${login}" ${excess}, so this console could change the log; start with --runtime-database-url, as docs/deploy.md explains.`,
      figures,
    };
  }
  if (guard?.isShared) {
    return {
      state: "warning",
      sentence: `The head of the audit log belongs to "${guard.owner}", which also owns the log and could change both; ask a database administrator to run ${auditorStatements(guard.owner)} and start Stashlight again.`,
      figures,
    };
  }
  const sentence = `${chain.sentence} The audit log is append-only for this connection.`;
  return { state: chain.state, sentence, figures };
}

async function checkChain(platform: Core): Promise<Finding> {
  const { last, seals, latest } = await allNamed({
    last: platform.db.auditEvent.findFirst({ orderBy: { sequence: "desc" }, select: { sequence: true } }),
    seals: platform.db.auditSeal.count(),
    latest: platform.db.scheduleRun.findFirst({
      where: { state: { in: ["succeeded", "failed"] }, schedule: { kind: "housekeeping" } },
      orderBy: { plannedAt: "desc" },
    }),
  });
  const figures: Finding["figures"] = [
    { name: headlineFigures.audit, value: Number(last?.sequence ?? 0n), unit: "count" },
    { name: "Sealed days", value: seals, unit: "count" },
  ];
  if (latest === null) {
    return { state: "unknown", sentence: "Housekeeping has not checked the chain of events yet.", figures };
  }
  const outcome = latest.outcome ?? "";
  const broken = latest.state === "failed" && outcome.startsWith(auditBrokenPrefix);
  if (latest.state === "failed" && !broken) {
    return {
      state: "unknown",
      sentence: "The last housekeeping failed before it checked the chain.",
      figures,
    };
  }
  const checkedAt = latest.finishedAt ?? latest.plannedAt;
  const ageMs = Math.max(0, platform.now().getTime() - checkedAt.getTime());
  figures.push({ name: "Last checked", value: ageMs / 1000, unit: "seconds-ago" });
  // A broken chain does not repair itself with time.
  if (broken) return { state: "bad", sentence: outcome, figures };
  return ageMs > chainCheckStaleMs
    ? {
        state: "unknown",
        sentence:
          "Housekeeping has not checked the chain of events for hours; check that a worker is running.",
        figures,
      }
    : { state: "good", sentence: "Housekeeping found the chain of events intact.", figures };
}
