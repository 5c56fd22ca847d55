/** The durability that the console shows, for a command that sees one moment of a vault. */
import { type ApiVault, vaultsAnswer } from "@stashlight/contracts/public-api";
import { askConsole, type ConsoleAccess } from "../console-api.ts";
import { counted, formatDuration } from "../units.ts";
import type { StatusReport } from "./report.ts";

/**
 * Returns the reports with the console's durability, which also includes earlier rebuilds, failures, SMART and the
 * stash. A report keeps its current durability, with the reason as a problem, where the console does not answer, does
 * not know the vault, or knows it at another moment.
 */
export async function takeConsoleDurability(
  reports: readonly StatusReport[],
  access: ConsoleAccess | null,
): Promise<readonly StatusReport[]> {
  if (access === null) return reports;
  const asked = await readVaults(access);
  return reports.map((report) => {
    if ("problem" in asked) return { ...report, problems: [...report.problems, asked.problem] };
    const known = asked.vaults.find(({ name }) => name === report.name);
    const slow = known?.slowDrives.map(({ sentence }) => sentence) ?? [];
    const durability = known?.durability;
    if (durability == null) {
      const problem = `The console at ${access.url} has no durability for a vault ${report.name}.`;
      return { ...report, problems: [...report.problems, ...slow, problem] };
    }
    const { sentence, remedy, assumptions, nines, missingPodCount } = durability;
    const problems = [...report.problems, ...slow];
    // Reports reach the console later than the nodes answer this command: the two may be of different moments.
    if (missingPodCount !== report.durability.missingPodCount) {
      const problem = describeMismatch(durability, asked.answeredAt, report.durability.missingPodCount);
      return { ...report, problems: [...problems, problem] };
    }
    return {
      ...report,
      problems,
      durability: {
        sentence,
        remedy,
        assumptions,
        missingPodCount,
        nines: nines?.estimate ?? null,
        source: "console" as const,
      },
    };
  });
}

/** Computes the age from the console's clock alone. */
function describeMismatch(
  { sentence, missingPodCount, reportedAt }: NonNullable<ApiVault["durability"]>,
  answeredAt: string,
  ownCount: number,
): string {
  const ageMs = reportedAt === null ? null : Math.max(0, Date.parse(answeredAt) - Date.parse(reportedAt));
  const age = ageMs === null ? "" : ` of ${formatDuration(ageMs / 1000)} ago`;
  if (missingPodCount === null) return `The console's durability${age} is not shown: ${sentence}`;
  return `The console's durability${age} is not shown: it counts ${counted(missingPodCount, "pod")} away or lacking shards, but ${ownCount} do not answer or lack shards now.`;
}

async function readVaults(access: ConsoleAccess) {
  try {
    return vaultsAnswer.parse(await askConsole(access, { method: "GET", path: "/vaults" }));
  } catch (error) {
    return { problem: `This is only the current durability: ${(error as Error).message}` };
  }
}
