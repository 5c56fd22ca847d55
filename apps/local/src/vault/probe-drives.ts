/** Drives that the probe of this machine's vaults may measure, by their names in the console. */
import { dirname, join } from "node:path";
import { reportedNodeName } from "@stashlight/node-runtime";
import { nodeAddresses, type VaultFile } from "@stashlight/node-runtime/config";

/** The form in which agents/probe reads it from its file of drives. */
export interface OfferedDrive {
  readonly node: string;
  readonly device: string;
  readonly folder: string;
  /** True if plans may measure it. The vault's own drives serve the vault only. */
  readonly benchmark?: { readonly provider: string; readonly besideVault: true };
}

export interface LocalProbe {
  readonly name: string;
  readonly stateFolder: string;
  readonly drives: readonly OfferedDrive[];
}

const ownDrive = { provider: "this machine", besideVault: true } as const;

/**
 * `path` is the vault's file. Plans may measure the drive that holds it if they confirm so; only the first vault's
 * probe offers it, because it is a single drive. Leaves out modelled drives, because their folder performs differently.
 */
export function localProbe(path: string, file: VaultFile, { offersDisk = true } = {}): LocalProbe {
  const drives = file.nodes.flatMap((node) => {
    if (node.role === "coordinator") return [];
    const addresses = nodeAddresses(file, node);
    return node.drives.flatMap(({ path: folder, model }, at) => {
      const device = addresses[at];
      return model === undefined && device !== undefined
        ? [{ node: reportedNodeName(file, node), device, folder }]
        : [];
    });
  });
  const name = `${file.name}.probe`;
  const folder = dirname(path);
  const own = { node: name, device: "disk", folder, benchmark: ownDrive };
  const offered = offersDisk ? [...drives, own] : drives;
  return { name, stateFolder: join(folder, "probe"), drives: offered };
}

export const probeKeyPath = ({ stateFolder }: Pick<LocalProbe, "stateFolder">): string =>
  join(stateFolder, "key.json");
