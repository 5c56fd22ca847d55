import type { DriveHealth } from "./health.ts";
import type { TestVault } from "./vault.ts";
import { until } from "./wait-until.ts";

const WITHIN_MS = 120_000;

export type Fault = "none" | "eio" | "eio-reads" | "garbled-reads" | "enospc" | "hang" | "slow";

/** Makes the drive of a pod ("p0") or stash device ("s0") fail; the vault must run with `--drill`. */
export async function setFault(vault: TestVault, address: string, fault: Fault): Promise<void> {
  const answer = await postFault(vault, address, { address, fault });
  if (answer?.status !== 200) throw new Error(`The fault was not set: ${answer?.text}`);
}

export function postFault(vault: TestVault, address: string, body: object) {
  return vault.askAdmin(findNodeId(vault, address), "/drill/faults", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function findNodeId({ file }: TestVault, address: string): string {
  const index = Number(address.slice(1));
  const node = file.nodes.find((each) =>
    each.role === "pod"
      ? address.startsWith("p") && each.drives.some(({ pod }) => pod === index)
      : each.role === "stash" &&
        address.startsWith("s") &&
        each.drives.some(({ device }) => device === index),
  );
  if (node === undefined) throw new Error(`The vault has no drive ${address}.`);
  return node.id;
}

async function findDriveHealth(vault: TestVault, address: string): Promise<DriveHealth | undefined> {
  const health = await vault.health(findNodeId(vault, address));
  return health?.drives?.find((drive) => drive.address === address);
}

/** Resolves with the reason that the node gives. */
export function reportedFailed(vault: TestVault, address: string): Promise<string> {
  return until(
    `the drive of ${address} is reported failed`,
    async () => {
      const state = (await findDriveHealth(vault, address))?.state;
      return state?.type === "failed" && (state.reason ?? "");
    },
    WITHIN_MS,
    () => findDriveHealth(vault, address),
  );
}

/** Resolves when the drive works again. */
export async function reportedWell(vault: TestVault, address: string): Promise<void> {
  const isWell = async () => {
    const lifecycle = (await findDriveHealth(vault, address))?.state.lifecycle;
    return lifecycle === "settled" || lifecycle === "serving";
  };
  await until(`the drive of ${address} works again`, isWell, WITHIN_MS, () =>
    findDriveHealth(vault, address),
  );
}
