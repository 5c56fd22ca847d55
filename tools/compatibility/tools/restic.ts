import { join } from "node:path";
import type { Source, Tool } from "../tool.ts";
import { removeBucket } from "./bucket.ts";

export const resticDebian = describeRestic("restic-debian", true, { kind: "Debian", packages: ["restic"] });
export const restic = describeRestic("restic", false, {
  kind: "Go",
  module: "github.com/restic/restic",
  version: "v0.18.0",
  command: "cmd/restic",
});

function describeRestic(id: string, isQuick: boolean, source: Source): Tool {
  return {
    id,
    name: source.kind === "Debian" ? "restic (Debian 12)" : "restic",
    source,
    isQuick,
    job: "`init`, `backup` twice, `check --read-data`, `forget --prune`, `restore`",
    workaround: null,
    version: async ({ run, program }) => (await run(program("restic"), ["version"])).split(" ")[1] ?? "",
    async run({ run, program, vault, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
      const environment = {
        ...awsEnvironment,
        RESTIC_REPOSITORY: `s3:${vault.endpoint}/${bucket}/repository`,
        RESTIC_PASSWORD: "a password for this job",
        RESTIC_CACHE_DIR: join(scratch, "cache"),
      };
      const call = (...args: string[]) =>
        run(program("restic"), ["--quiet", ...args], { environment, folder: files });
      await call("init");
      await call("backup", ".");
      await changeFiles();
      await call("backup", ".");
      await call("check", "--read-data");
      await call("forget", "--keep-last", "1", "--prune");
      await call("check", "--read-data");
      const restored = join(scratch, "restored");
      await call("restore", "latest", "--target", restored);
      await compareFiles(restored);
      await removeBucket(vault, bucket);
    },
  };
}
