/** `vault renew`: new certificates for running nodes. */
import { openSetupFolder, renewVault } from "@stashlight/vault-setup";
import type { RenewCommand } from "./arguments.ts";

/** Resolves to the exit code. */
export async function renewCertificates(
  { folder, hasNewKeys }: RenewCommand,
  { say, complain }: { say: (line: string) => void; complain: (line: string) => void },
): Promise<number> {
  const setup = openSetupFolder(folder);
  const areAll = await renewVault(setup, {
    hasNewKeys,
    nowMs: Date.now,
    renewed: ({ nodeId, validUntilMs, reason }) => {
      if (validUntilMs === null) complain(`! ${reason ?? nodeId}`);
      else
        say(`${nodeId} has a ${hasNewKeys ? "new key and " : ""}certificate until ${dayText(validUntilMs)}.`);
    },
  });
  if (areAll) return 0;
  complain("Run the command again once these nodes answer; those that were renewed may be renewed again.");
  return 1;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
