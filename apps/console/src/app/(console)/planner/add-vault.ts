/** Describes when the vaults behind an endpoint need another one. */

import type { Live, LiveAddVault } from "@stashlight/contracts/planner";
import { formatFill } from "@stashlight/contracts/space";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import { formatSourceAge } from "./live.ts";

export interface AddVaultInWords {
  readonly status: "info" | "warning";
  readonly title: string;
  readonly sentence: string;
}

const MARK = formatFill(vaultMarks.warningShare);

/** Null if unknown. */
export function addVaultInWords(live: Live<LiveAddVault> | undefined): AddVaultInWords | null {
  if (live === undefined || live.figure === null) return null;
  const { vaults, fill, state, forecast, source, n, nUnit, basis, ageSeconds } = live.figure;
  const names =
    vaults.length === 1
      ? `The vault ${vaults[0]} is`
      : `The vaults ${vaults.slice(0, -1).join(", ")} and ${vaults.at(-1)} behind one endpoint are`;
  const now = `${names} ${formatFill(fill)} full`;
  const age = ageSeconds === null ? "" : `, ${formatSourceAge(ageSeconds)}`;
  const from = `From ${source}; ${n} ${nUnit}, ${basis}${age}.`;
  if (state === "due") {
    return { status: "warning", title: "Add a vault now", sentence: `${now}, beyond ${MARK}. ${from}` };
  }
  if (state === "not-soon") {
    return { status: "info", title: "No vault needs to be added", sentence: `${now}; ${forecast}. ${from}` };
  }
  if (state === "unknown") {
    const title = "When a vault has to be added is not known yet";
    return { status: "info", title, sentence: `${now}; ${forecast}. ${from}` };
  }
  return {
    status: "info",
    title: `Add a vault when the endpoint reaches ${MARK}`,
    sentence: `${now}; ${forecast}. ${from}`,
  };
}
