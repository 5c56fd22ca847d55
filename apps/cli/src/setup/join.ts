/** `vault join`: adds this machine to a vault, and starts its nodes. */
import { joinVault } from "@stashlight/vault-setup/join";
import type { Screen } from "../screen.ts";
import type { JoinCommand } from "./arguments.ts";
import { commandLine } from "./program.ts";
import { runMachine } from "./run.ts";
import { hasSystemd, installServices, isRoot } from "./services.ts";

export interface JoinSurroundings {
  readonly screen: Screen;
  readonly complain: (line: string) => void;
  readonly interrupted: AbortSignal;
}

/** Resolves to the exit code. */
export async function joinMachine(command: JoinCommand, surroundings: JoinSurroundings): Promise<number> {
  const { bundle, folder, tokens, user, start } = command;
  const { screen, complain, interrupted } = surroundings;
  const { machine, isRunning } = await joinVault({
    bundle,
    folder,
    tokens,
    nowMs: Date.now,
    say: screen.say,
    warn: complain,
    progress: progressOn(screen),
  });
  if (isRunning) {
    screen.say("Its nodes are running, and load the new bundle within seconds.");
    return 0;
  }
  if (start === "not") return 0;
  const runCommand = { name: "run" as const, folder };
  if (start === "here") return await runMachine(runCommand, { say: screen.say, interrupted });
  if (hasSystemd() && isRoot()) {
    const units = await installServices(machine, user);
    screen.say(`Started: ${units.join(", ")}.`);
    return 0;
  }
  const why = hasSystemd() ? "Only root can install services" : "systemd is not available";
  screen.say(`${why}. Start the nodes with: ${commandLine} vault run --folder ${folder}`);
  return 0;
}

/** Shows the progress of formatting, which fills the drives with zeros once. */
function progressOn(screen: Screen): (doneBytes: number, allBytes: number) => void {
  const startMs = performance.now();
  return (doneBytes, allBytes) => {
    const share = doneBytes / allBytes;
    const seconds = (performance.now() - startMs) / 1000;
    const left = share === 0 || share === 1 ? "" : `, ${Math.ceil((seconds * (1 - share)) / share)} s left`;
    const text = `Formatting drives: ${Math.floor(share * 100)} % of ${(allBytes / 1e9).toFixed(1)} GB${left}`;
    if (share < 1) screen.draw(text);
    else screen.draw("");
  };
}
