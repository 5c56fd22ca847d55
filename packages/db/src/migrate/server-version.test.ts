import { expect, test } from "vitest";
import { assertSupportedVersion } from "./server-version.ts";

test.each(["16.0", "16.11 (Debian 16.11-1.pgdg12+1)", "18.4", "19beta1"])(
  "Postgres %s is accepted",
  (version) => {
    expect(() => assertSupportedVersion(version)).not.toThrow();
  },
);

test.each(["15.14", "9.6.24", "unknown"])("Postgres %s is refused", (version) => {
  expect(() => assertSupportedVersion(version)).toThrow(
    `The database is Postgres ${version}; Stashlight needs Postgres 16 or later.`,
  );
});
