/** Evaluates alerts over a time span on a manual clock. */
import type { Person, TestInstallation } from "../../testing/index.ts";
import { evaluateDueRules, evaluationIntervalMs } from "../evaluate-due.ts";
import { listFiring } from "../list-firing.ts";

/** Reports and evaluates at each interval of a time span, and returns the firing alerts: "east: Stash filling up". */
export async function firingAfter(
  forMs: number,
  {
    installation,
    admin,
    report,
  }: { installation: TestInstallation; admin: Person; report: () => Promise<void> },
): Promise<string[]> {
  for (let passedMs = 0; passedMs < forMs; passedMs += evaluationIntervalMs) {
    installation.clock.advance(evaluationIntervalMs);
    await report();
    await evaluateDueRules(installation.platform, (error) => {
      throw error;
    });
  }
  const firing = await listFiring({ ctx: admin.ctx });
  return firing.flatMap(({ labels, status, ruleName }) =>
    status === "firing" ? [`${labels.vault ?? "all vaults"}: ${ruleName}`] : [],
  );
}
