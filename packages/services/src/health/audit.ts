/** The audit log's health: that its chain of events is whole, and that this very process could not change it. */
import { type RuntimeRights, runtimeRightsQuery } from "@stashlight/db";
import { auditBrokenPrefix } from "../housekeeping/outcome.ts";
import type { Platform } from "../platform.ts";
import type { Finding } from "./finding.ts";

/** Housekeeping looks every hour; after this long its word on the audit log no longer counts. */
const chainCheckStaleMs = 3 * 3_600_000;

export async function checkAudit(platform: Platform): Promise<Finding> {
  const [chain, rights] = await Promise.all([
    checkChain(platform),
    platform.db.$queryRawUnsafe<RuntimeRights[]>(runtimeRightsQuery),
  ]);
  const { login, excess } = rights[0] as RuntimeRights;
  const figures: Finding["figures"] = [
    ...chain.figures,
    { name: "Append-only", value: excess === null ? "yes" : "no" },
  ];
  // What has happened to the log is worse than what could.
  if (chain.state === "bad") return { ...chain, figures };
  if (excess !== null) {
    return {
      state: "warning",
      sentence: `The database login "${login}" ${excess}, so this console could change the log; start with --runtime-database-url, as the README says.`,
      figures,
    };
  }
  const sentence = `${chain.sentence} The audit log is append-only for this connection.`;
  return { state: chain.state, sentence, figures };
}

async function checkChain(platform: Platform): Promise<Finding> {
  const [last, seals, latest] = await Promise.all([
    platform.db.auditEvent.findFirst({ orderBy: { sequence: "desc" }, select: { sequence: true } }),
    platform.db.auditSeal.count(),
    platform.db.scheduleRun.findFirst({
      where: { state: { in: ["succeeded", "failed"] }, schedule: { kind: "housekeeping" } },
      orderBy: { plannedAt: "desc" },
    }),
  ]);
  const figures: Finding["figures"] = [
    { name: "Events", value: Number(last?.sequence ?? 0n), unit: "count" },
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
  figures.push({ name: "Last checked", value: ageMs / 1000, unit: "seconds" });
  // A broken chain does not mend itself with time.
  if (broken) return { state: "bad", sentence: outcome, figures };
  return ageMs > chainCheckStaleMs
    ? {
        state: "unknown",
        sentence: "Housekeeping has not checked the chain of events for hours; see that a worker runs.",
        figures,
      }
    : { state: "good", sentence: "Housekeeping found the chain of events intact.", figures };
}
