import type { Binaries } from "./binaries.ts";
import type { Identity } from "./identity.ts";

export interface Cluster {
  binaries: Binaries;
  dataDirectory: string;
  identity: Identity | undefined;
  isDurable: boolean;
}

/**
 * Returns the user and folder in which to start a Postgres program. Root's Postgres user may be unable to enter the
 * folders above the data, but can always enter its own working directory, so programs start there.
 */
export function locateCluster({ dataDirectory, identity }: Pick<Cluster, "dataDirectory" | "identity">) {
  const isThroughProc = identity !== undefined && process.platform === "linux";
  return {
    directoryArgument: isThroughProc ? "/proc/self/cwd" : dataDirectory,
    spawnOptions: {
      cwd: dataDirectory,
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    },
  };
}
