import { StashlightError } from "@stashlight/contracts/errors";

const postgresVersionMin = 16;

/** `version` is Postgres's own `server_version`, such as "18.4" or "17beta1 (Debian …)". */
export function assertSupportedVersion(version: string): void {
  if (Number.parseInt(version, 10) >= postgresVersionMin) return;
  throw new StashlightError(
    "precondition_failed",
    `The database is Postgres ${version}; Stashlight needs Postgres ${postgresVersionMin} or later.`,
  );
}
