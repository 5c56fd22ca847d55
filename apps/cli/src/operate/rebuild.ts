/** Shows a rebuild until it is done. */
import { setTimeout as delay } from "node:timers/promises";
import type { Screen } from "../screen.ts";
import { describeProgress, progressLines } from "../status/progress.ts";
import { readStatus } from "../status/status.ts";
import { formatDuration } from "../units.ts";

const LOOK_EVERY_MS = 1000;

/** Resolves to true when all pods hold all their shards, and to false when interrupted. */
export async function followRebuild(
  config: string,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<boolean> {
  const startMs = performance.now();
  let isRiskShown = false;
  while (!interrupted.aborted) {
    const report = await readStatus(config);
    const progress = progressLines(report);
    const line = describeProgress(progress, report);
    if (progress.unsettled.length === 0 && progress.missingShardCount === 0) {
      screen.say(`${line} It took ${formatDuration((performance.now() - startMs) / 1000)}.`);
      return true;
    }
    // The first line explains the risk; the refreshed one shows the progress.
    if (!isRiskShown) {
      isRiskShown = true;
      screen.say(report.durability.sentence);
    }
    screen.draw(line);
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  screen.draw("");
  screen.say("The rebuild continues; npm run stashlight -- vault rebuild shows its progress.");
  return false;
}
