/** The commands, as what a person asked for. */
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
  /** Null for as many as the vault takes. */
  readonly uploadsPerSecond: number | null;
  readonly bucket: string;
  /** Null for none. */
  readonly journal: string | null;
  /** Leaves the objects in the vault. */
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
  /** Null for a vault of its own, which is removed afterwards. */
  readonly config: string | null;
  readonly times: number;
  readonly sizeBytes: number;
  readonly concurrency: number;
}

export interface FullDrillCommand {
  readonly name: "drill-full";
  /** Null for a vault of its own, which is removed afterwards. */
  readonly config: string | null;
  readonly rounds: number;
  readonly clientCount: number;
  readonly sizeBytes: number;
  /** The drive of each pod of the vault that is made. */
  readonly podBytes: number;
  /** Null for one that is drawn. */
  readonly seed: number | null;
}

/** Creates the keys that a vault's file does not name yet. */
export interface KeysCommand {
  readonly name: "keys";
  readonly config: string;
}

/** Creates a vault of several machines from a layout. */
export interface CreateCommand {
  readonly name: "create";
  readonly layout: string;
  /** Null for one named after the vault, here. */
  readonly folder: string | null;
  /** Creates it although one machine that is lost would break what it promises. */
  readonly isWeakAccepted: boolean;
}

/** Makes another bundle for a machine, with new keys. */
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
  /** Null for stashlight, or root's own where there is no systemd. */
  readonly user: string | null;
  /** `service` where systemd is there; `here` runs the nodes in the foreground. */
  readonly start: "service" | "here" | "not";
}

/** Runs the nodes of this machine in the foreground. */
export interface RunCommand {
  readonly name: "run";
  readonly folder: string;
}

/** Puts an empty drive in the place of another. */
export interface ReplaceDriveCommand {
  readonly name: "replace-drive";
  readonly config: string;
  /** The pod or stash device whose drive it is, such as p3 or s7. */
  readonly address: string;
  /** The folder of the new drive; null for that of the old one. */
  readonly path: string | null;
  /** Until all pods hold all their shards. */
  readonly isWaiting: boolean;
}

/** Puts another machine in the place of one that is gone. */
export interface ReplaceMachineCommand {
  readonly name: "replace-machine";
  readonly config: string;
  readonly machine: string;
  /** Null for that of the old one. */
  readonly address: string | null;
  /** The drives of the old machine are in the new one. */
  readonly areDrivesKept: boolean;
  /** The machine that took its place is gone as well. */
  readonly isAgain: boolean;
  readonly isLossAccepted: boolean;
  readonly isWaiting: boolean;
}

export interface RebuildCommand {
  readonly name: "rebuild";
  readonly config: string;
  /** The bound for each pod; null leaves it. */
  readonly bytesPerSecond: number | null;
}

export interface AddStashCommand {
  readonly name: "add-stash";
  readonly config: string;
  /** The file that describes the server. */
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
  /** The server is gone for good, with what it holds. */
  readonly isLost: boolean;
}

export interface ScrubCommand {
  readonly name: "scrub";
  readonly config: string;
  /** Addresses, such as p3 and s7; null for all. */
  readonly drives: readonly string[] | null;
  /** The most that is read from each drive; null for the usual rate, or that of the round under way. */
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
  /** The file with the rules to try; null for those that are in force. */
  readonly rulesPath: string | null;
  readonly isJson: boolean;
}

export interface GiveUpCommand {
  readonly name: "give-up";
  readonly config: string;
  readonly bucket: string;
  readonly key: string;
  /** Asks no question. */
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
  /** Asks no question. */
  readonly isConfirmed: boolean;
}

interface PlanOptions {
  /** Inputs that replace those of the file, by their names. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Nines below which the exit code says so; null where none are required. */
  readonly requiredNines: number | null;
  readonly isJson: boolean;
}

export interface PlanCommand extends PlanOptions {
  readonly name: "plan";
  readonly input: PlanSource;
}

/** Source of a plan's input: `path` is null for standard input; the example where no file is given. */
export type PlanSource = { readonly path: string | null } | "example";

/** A plan whose load is that of access logs or listings. */
export interface PlanFromLogCommand extends PlanOptions {
  readonly name: "plan-from-log";
  /** Null for standard input. */
  readonly logs: readonly (string | null)[];
  /** The rest of the plan; null for the example's. */
  readonly input: string | null;
  readonly smallBytesMax: number;
  /** Takes the rate of a listing too, which is a lower bound. */
  readonly takesListingRate: boolean;
}

export interface BenchRunCommand {
  readonly name: "bench-run";
  /** Files of endpoints. */
  readonly endpoints: readonly string[];
  /** A preset's name, with its method's in front where that is not clear: "small-uploads/b2-2023". */
  readonly preset: string;
  /** Parameters of the method that differ from the preset's. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly slotCount: number;
  /** The seed of the order of endpoints within each slot. */
  readonly seed: number;
  readonly limits: readonly Limit[];
  readonly restores: readonly Restore[];
  /** What all of it may cost by the price lists of the endpoints, in US dollars; null for no limit. */
  readonly costMax: number | null;
  /** The folder for files that a console imports; null for none. */
  readonly output: string | null;
  readonly isJson: boolean;
}

/** The verdict on two endpoints by files of their runs. */
export interface BenchCompareCommand {
  readonly name: "bench-compare";
  /** Files, or folders of them. */
  readonly paths: readonly string[];
  /** The two to compare; empty where the files have two. */
  readonly endpoints: readonly string[];
  readonly isJson: boolean;
}

/** Changes of a vault that runs. */
export type OperateCommand =
  | ReplaceDriveCommand
  | ReplaceMachineCommand
  | RebuildCommand
  | AddStashCommand
  | DrainCommand
  | RemoveCommand;

export type Command =
  | { readonly name: "help" }
  /** Prints an input to start from. */
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
  | PlanCommand
  | PlanFromLogCommand;
