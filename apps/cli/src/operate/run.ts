/** Runs the commands that change a running vault. Each resolves to the exit code. */
import type { OperateCommand } from "../commands.ts";
import type { Screen } from "../screen.ts";
import { addCoordinator } from "./coordinators.ts";
import { replaceDrive } from "./replace-drive.ts";
import { replaceMachine } from "./replace-machine.ts";
import { showRebuild } from "./set-rebuild.ts";
import { addStash, drain, removeNode } from "./stash-servers.ts";

export function runOperation(
  command: OperateCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  switch (command.name) {
    case "replace-drive":
      return replaceDrive(command, screen, interrupted);
    case "replace-machine":
      return replaceMachine(command, screen, interrupted);
    case "rebuild":
      return showRebuild(command, screen, interrupted);
    case "add-coordinator":
      return addCoordinator(command, screen);
    case "add-stash":
      return addStash(command, screen);
    case "drain":
      return drain(command, screen, interrupted);
    case "remove":
      return removeNode(command, screen);
  }
}
