/** What the probe of this machine's vault may measure, and how it is known to the console. */
import { dirname, join } from "node:path";
import { nameOf } from "@stashlight/node-runtime";
import { addressesOf, type VaultFile } from "@stashlight/node-runtime/config";

/** As agents/probe reads it from its file of drives. */
export interface DriveFolder {
  readonly node: string;
  readonly device: string;
  readonly folder: string;
}

export interface LocalProbe {
  readonly name: string;
  readonly stateFolder: string;
  readonly drives: readonly DriveFolder[];
}

/** `path` is that of the vault's file. Modelled drives are left out: what their folder can do is not what they do. */
export function localProbeOf(path: string, file: VaultFile): LocalProbe {
  const drives = file.nodes.flatMap((node) => {
    if (node.role === "coordinator") return [];
    const addresses = addressesOf(file, node);
    return node.drives.flatMap(({ path: folder, model }, at) => {
      const device = addresses[at];
      return model === undefined && device !== undefined
        ? [{ node: nameOf(file, node), device, folder }]
        : [];
    });
  });
  return { name: `${file.name}.probe`, stateFolder: join(dirname(path), "probe"), drives };
}

export const probeKeyFileOf = ({ stateFolder }: Pick<LocalProbe, "stateFolder">): string =>
  join(stateFolder, "key.json");
