/** The form of one tool of the matrix: where it comes from, and the one job that it does against a vault. */

/** Registry of a tool. Each kind is installed into a folder of its own by `install.ts`. */
export type Source =
  /** A virtual environment of Python with these packages, such as "boto3==1.44.8". */
  | { readonly kind: "PyPI"; readonly packages: readonly string[] }
  | { readonly kind: "Debian"; readonly packages: readonly string[] }
  /** A program below a module: `command` is its folder. */
  | { readonly kind: "Go"; readonly module: string; readonly version: string; readonly command: string }
  /** Sources in this folder, with the versions of their modules. */
  | { readonly kind: "Go project"; readonly folder: string }
  | { readonly kind: "Maven"; readonly folder: string }
  /** The packages of the repository itself. */
  | { readonly kind: "npm" };

export interface Tool {
  /** Also the name of its bucket and folder, in lower case with digits and hyphens. */
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  /** Installs within seconds, so that continuous integration runs it. */
  readonly isQuick: boolean;
  /** True if it does not support plain HTTP, so that its vault has certificates. */
  readonly needsTls?: boolean;
  /** Description of the job, for the document. */
  readonly job: string;
  /** Setting that a user must change for it to work; null if none. */
  readonly workaround: string | null;
  version(installed: Installed): Promise<string>;
  run(job: Job): Promise<void>;
}

/** Runs a program and resolves with its output. Rejects with both streams if it fails. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  options?: ProgramOptions,
) => Promise<string>;

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

export interface Installed {
  /** The path of a program of the tool. */
  program(name: string): string;
  readonly run: RunProgram;
}

/** A vault as a client reaches it. */
export interface VaultAddress {
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** PEM of the authority behind the endpoint's certificate; null over plain HTTP. */
  readonly authority: string | null;
}

export interface Job extends Installed {
  readonly vault: VaultAddress;
  /** For programs that read the settings of AWS's SDKs. */
  readonly awsEnvironment: Readonly<Record<string, string>>;
  /** Does not exist at first, and is empty or deleted when the job ends. */
  readonly bucket: string;
  /** Files with difficult names, which `changeFiles` changes. */
  readonly files: string;
  /** An empty folder for everything else. */
  readonly scratch: string;
  /** Adds, changes, renames and deletes files, as between two backups. */
  changeFiles(): Promise<void>;
  /** Rejects unless the folder has exactly the files of `files`, byte for byte. */
  compareFiles(restored: string): Promise<void>;
}
