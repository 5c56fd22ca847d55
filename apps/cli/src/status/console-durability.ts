/** The durability that the console shows, for a command that sees one moment of a vault. */
import { vaultsAnswer } from "@stashlight/contracts/public-api/vaults";
import { askConsole, type ConsoleAccess } from "../console-api.ts";
import type { StatusReport } from "./report.ts";

/**
 * Returns the reports with the console's durability, which also includes earlier rebuilds, failures, SMART and the
 * stash. A vault that the console does not know, and all vaults if it does not answer, keep the current durability and
 * get the reason as a problem.
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
      const problem = `The console at ${access.url} has no durability of a vault ${report.name}.`;
      return { ...report, problems: [...report.problems, ...slow, problem] };
    }
    const { sentence, remedy, assumptions, nines } = durability;
    return {
      ...report,
      problems: [...report.problems, ...slow],
      durability: {
        sentence,
        remedy,
        assumptions,
        nines: nines?.estimate ?? null,
        source: "console" as const,
      },
    };
  });
}

async function readVaults(access: ConsoleAccess) {
  try {
    return vaultsAnswer.parse(await askConsole(access, { method: "GET", path: "/vaults" }));
  } catch (error) {
    return { problem: `This is only the current durability: ${(error as Error).message}` };
  }
}
