import { parseArgs } from "node:util";
import { loadVaultFile, type VaultFile, VaultFileError, type VaultNode } from "../config/index.ts";

export interface AgentArguments<Node extends VaultNode> {
  readonly file: VaultFile;
  readonly nodes: readonly Node[];
  readonly mayFormat: boolean;
  /** Faults may be set on drives while they are in use (drive/fault-disk.ts). */
  readonly isDrill: boolean;
  /** Holds the token with which nodes that have no key yet enrol for telemetry. */
  readonly enrolmentTokenFile: string | null;
}

/**
 * `--config FILE --node ID [--node ID ...] [--format] [--drill] [--enrolment-token-file FILE]`. Several nodes may share a process; they fail together then.
 * Throws a VaultFileError that says what is wrong.
 */
export function parseAgentArguments<Role extends VaultNode["role"]>(
  args: readonly string[],
  role: Role,
): AgentArguments<Extract<VaultNode, { role: Role }>> {
  const { config, node: ids, format, drill, ...options } = parseOptions(args);
  if (config === undefined)
    throw new VaultFileError("--config FILE is missing: the file that describes the vault.");
  if (ids === undefined)
    throw new VaultFileError("--node ID is missing: which node of the vault this process is.");
  const file = loadVaultFile(config);
  const nodes = ids.map((id) => {
    const node = file.nodes.find((candidate) => candidate.id === id);
    const known = file.nodes.filter((candidate) => candidate.role === role).map((candidate) => candidate.id);
    if (node?.role !== role) {
      throw new VaultFileError(
        `--node ${id}: ${config} has no node of that name with the role ${role}; it has ${known.join(", ")}.`,
      );
    }
    return node as Extract<VaultNode, { role: Role }>;
  });
  const enrolmentTokenFile = options["enrolment-token-file"] ?? null;
  return { file, nodes, mayFormat: format, isDrill: drill, enrolmentTokenFile };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        config: { type: "string" },
        node: { type: "string", multiple: true },
        format: { type: "boolean", default: false },
        drill: { type: "boolean", default: false },
        "enrolment-token-file": { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new VaultFileError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
