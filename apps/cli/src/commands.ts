/** Parsed commands. */
import type { DriveState } from "@stashlight/contracts/failure-rate/drive-state";
import type { CompareCommand, DiskCommand } from "./disk/arguments.ts";
import type { Limit } from "./limit.ts";
import type { Restore } from "./restore.ts";

export interface StatusCommand {
  readonly name: "status";
  readonly config: string;
  /** Further vaults behind the endpoint. */
  readonly furtherConfigs?: readonly string[];
  readonly isJson: boolean;
}

export interface LoadCommand {
  readonly name: "load";
  readonly config: string;
  readonly sizeBytes: number;
  readonly concurrency: number;
  readonly seconds: number;
  /** Null for the maximum that the vault accepts. */
  readonly uploadsPerSecond: number | null;
  readonly bucket: string;
  /** Null for none. */
  readonly journal: string | null;
  /** Keeps the objects in the vault. */
  readonly isKept: boolean;
}

export interface VerifyCommand {
  readonly name: "verify";
  readonly config: string;
  /** Further vaults behind the endpoint of the first. */
  readonly furtherConfigs?: readonly string[];
  readonly journal: string | null;
  /** Null for all. */
  readonly bucket: string | null;
}

export interface PowerCutDrillCommand {
  readonly name: "drill-power-cut";
  /** Null for a temporary vault, which is removed afterwards. */
  readonly config: string | null;
  readonly times: number;
  readonly sizeBytes: number;
  readonly concurrency: number;
}

export interface FullDrillCommand {
  readonly name: "drill-full";
  /** Null for a temporary vault, which is removed afterwards. */
  readonly config: string | null;
  readonly rounds: number;
  readonly clientCount: number;
  readonly sizeBytes: number;
  /** Drive size of each pod of the new vault. */
  readonly podBytes: number;
  /** Null for a random one. */
  readonly seed: number | null;
}

/** Creates the keys missing from a vault's file. */
export interface KeysCommand {
  readonly name: "keys";
  readonly config: string;
}

/** Creates a vault of several machines from a layout. */
export interface CreateCommand {
  readonly name: "create";
  readonly layout: string;
  /** Null for a folder here, named after the vault. */
  readonly folder: string | null;
  /** Creates the vault although the loss of a single machine would break its guarantees. */
  readonly isWeakAccepted: boolean;
}

/** Creates another bundle for a machine, with new keys. */
export interface BundleCommand {
  readonly name: "bundle";
  readonly machine: string;
  readonly folder: string;
}

/** Gives running nodes new certificates. */
export interface RenewCommand {
  readonly name: "renew";
  readonly folder: string;
  readonly hasNewKeys: boolean;
}

export interface JoinCommand {
  readonly name: "join";
  readonly bundle: string;
  readonly folder: string;
  readonly tokens: Readonly<Partial<Record<"pod" | "stash" | "coordinator", string>>>;
  /** Null for stashlight, or for root if there is no systemd. */
  readonly user: string | null;
  /** `service` with systemd; `here` runs the nodes in the foreground. */
  readonly start: "service" | "here" | "not";
}

/** Runs the nodes of this machine in the foreground. */
export interface RunCommand {
  readonly name: "run";
  readonly folder: string;
}

/** Replaces a drive with an empty one. */
export interface ReplaceDriveCommand {
  readonly name: "replace-drive";
  readonly config: string;
  /** Pod or stash device of the drive, such as p3 or s7. */
  readonly address: string;
  /** Folder of the new drive; null for that of the old one. */
  readonly path: string | null;
  /** Waits until all pods hold all their shards. */
  readonly isWaiting: boolean;
}

/** Replaces a lost machine with another. */
export interface ReplaceMachineCommand {
  readonly name: "replace-machine";
  readonly config: string;
  readonly machine: string;
  /** Null for that of the old one. */
  readonly address: string | null;
  /** The drives of the old machine are in the new one. */
  readonly areDrivesKept: boolean;
  /** The replacement machine is lost as well. */
  readonly isAgain: boolean;
  readonly isLossAccepted: boolean;
  readonly isWaiting: boolean;
}

export interface RebuildCommand {
  readonly name: "rebuild";
  readonly config: string;
  /** Limit for each pod; null keeps the current one. */
  readonly bytesPerSecond: number | null;
}

export interface AddCoordinatorCommand {
  readonly name: "add-coordinator";
  readonly config: string;
  /** File that describes the coordinator. */
  readonly description: string;
}

export interface AddStashCommand {
  readonly name: "add-stash";
  readonly config: string;
  /** File that describes the server. */
  readonly server: string;
}

export interface DrainCommand {
  readonly name: "drain";
  readonly config: string;
  readonly node: string;
  readonly isUndone: boolean;
  readonly isWaiting: boolean;
}

export interface RemoveCommand {
  readonly name: "remove";
  readonly config: string;
  readonly node: string;
  /** The server is permanently lost with its content. */
  readonly isLost: boolean;
}

/** Restarts agents, one after the other. */
export interface RestartCommand {
  readonly name: "restart";
  readonly config: string;
  /** Null for all machines. */
  readonly machine: string | null;
  /** Also restarts agents without which no upload is accepted. */
  readonly isWeakAccepted: boolean;
  /** Time from the announcement of a coordinator's restart until it refuses connections. */
  readonly noticeMs: number;
  /** Does not continue a restart that was ended. */
  readonly isFresh: boolean;
}

export interface ScrubCommand {
  readonly name: "scrub";
  readonly config: string;
  /** Addresses, such as p3 and s7; null for all. */
  readonly drives: readonly string[] | null;
  /** Maximum read rate of each drive; null for the usual rate, or that of the current round. */
  readonly bytesPerSecond: number | null;
  /** Waits until the drives have been read to their ends. */
  readonly isWaiting: boolean;
  readonly isStopped: boolean;
}

export interface LostCommand {
  readonly name: "lost";
  readonly config: string;
  /** Further vaults behind the endpoint of the first. */
  readonly furtherConfigs?: readonly string[];
  readonly isJson: boolean;
}

export interface LifecycleCommand {
  readonly name: "lifecycle";
  readonly config: string;
  readonly bucket: string;
  /** File with the rules to try; null for the current ones. */
  readonly rulesPath: string | null;
  readonly isJson: boolean;
}

export interface GiveUpCommand {
  readonly name: "give-up";
  readonly config: string;
  readonly bucket: string;
  readonly key: string;
  /** Skips the confirmation. */
  readonly isConfirmed: boolean;
}

/** Action on the vault's encryption key. */
export interface EncryptionCommand {
  readonly name: "encryption";
  readonly config: string;
  readonly action:
    | { readonly type: "show" | "rotate" | "drop-old-keys" }
    | { readonly type: "enable"; readonly newBuckets: "AES256" | "none" }
    | { readonly type: "destroy-key"; readonly bucket: string };
  /** Skips the confirmation. */
  readonly isConfirmed: boolean;
}

interface PlanOptions {
  /** Inputs by name that replace those of the file. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Nines below which the exit code reports a failure; null for no requirement. */
  readonly requiredNines: number | null;
  readonly isJson: boolean;
}

export interface PlanCommand extends PlanOptions {
  readonly name: "plan";
  readonly input: PlanSource;
}

/** Source of a plan's input: `path` is null for standard input; the example without a file. */
export type PlanSource = { readonly path: string | null } | "example";

/** A plan whose load is read from access logs or listings. */
export interface PlanFromLogCommand extends PlanOptions {
  readonly name: "plan-from-log";
  /** Null for standard input. */
  readonly logs: readonly (string | null)[];
  /** Rest of the plan; null for the example's. */
  readonly input: string | null;
  readonly smallBytesMax: number;
  /** Also uses a listing's rate, which is a lower bound. */
  readonly takesListingRate: boolean;
}

export interface BenchRunCommand {
  readonly name: "bench-run";
  /** Files of endpoints. */
  readonly endpoints: readonly string[];
  /** A preset's name, prefixed with its method if ambiguous: "small-uploads/b2-2023". */
  readonly preset: string;
  /** Method parameters that differ from the preset's. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly slotCount: number;
  /** Seed of the order of endpoints within each slot. */
  readonly seed: number;
  readonly limits: readonly Limit[];
  readonly restores: readonly Restore[];
  /** Maximum cost of the measurement by the endpoints' price lists, in US dollars; null for no limit. */
  readonly costMax: number | null;
  /** Folder for files that a console imports; null for none. */
  readonly output: string | null;
  readonly isJson: boolean;
}

/** Compares two endpoints by files of their runs. */
export interface BenchCompareCommand {
  readonly name: "bench-compare";
  /** Files, or folders of files. */
  readonly paths: readonly string[];
  /** The two to compare; empty if the files have only two. */
  readonly endpoints: readonly string[];
  readonly isJson: boolean;
}

/** Failure rates of drive models, and marks of the fleet's drives. */
export type DrivesCommand =
  /** Sums the files of Drive Stats, and stores them in the console if one is named. */
  | { readonly name: "drives-import"; readonly paths: readonly string[]; readonly isJson: boolean }
  | { readonly name: "drives-list"; readonly isJson: boolean }
  /** `drive` is a serial number, or the id of a drive. */
  | { readonly name: "drives-mark"; readonly drive: string; readonly state: DriveState };

/** Changes of a running vault. */
export type OperateCommand =
  | ReplaceDriveCommand
  | ReplaceMachineCommand
  | RebuildCommand
  | AddCoordinatorCommand
  | AddStashCommand
  | DrainCommand
  | RemoveCommand;

export type Command =
  | { readonly name: "help" }
  /** Prints an example input. */
  | { readonly name: "plan-example" }
  | StatusCommand
  | LoadCommand
  | VerifyCommand
  | PowerCutDrillCommand
  | FullDrillCommand
  | KeysCommand
  | CreateCommand
  | BundleCommand
  | RenewCommand
  | JoinCommand
  | RunCommand
  | RestartCommand
  | ScrubCommand
  | LostCommand
  | LifecycleCommand
  | GiveUpCommand
  | EncryptionCommand
  | OperateCommand
  | BenchRunCommand
  | BenchCompareCommand
  | CompareCommand
  | DiskCommand
  | DrivesCommand
  | PlanCommand
  | PlanFromLogCommand;
