import { join } from "node:path";
import type { Tool } from "../tool.ts";
import { createBucket, removeBucket } from "./bucket.ts";

export const kopia: Tool = {
  id: "kopia",
  name: "Kopia",
  source: { kind: "Go", module: "github.com/kopia/kopia", version: "v0.21.1", command: "." },
  isQuick: false,
  job: "`repository create`, `snapshot create` twice, `snapshot verify`, full maintenance, `restore`",
  workaround: "`--disable-tls` over plain HTTP",
  version: async ({ run, program }) => (await run(program("kopia"), ["--version"])).split(" ")[0] ?? "",
  async run({ run, program, vault, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const environment = {
      ...awsEnvironment,
      KOPIA_PASSWORD: "a password for this job",
      KOPIA_CONFIG_PATH: join(scratch, "repository.config"),
      KOPIA_CACHE_DIRECTORY: join(scratch, "cache"),
      KOPIA_LOG_DIR: join(scratch, "logs"),
      KOPIA_CHECK_FOR_UPDATES: "false",
    };
    const call = (...args: string[]) => run(program("kopia"), ["--no-progress", ...args], { environment });
    await createBucket(vault, bucket);
    const place = ["--bucket", bucket, "--endpoint", vault.host, "--region", vault.region, "--disable-tls"];
    await call("repository", "create", "s3", ...place);
    await call("snapshot", "create", files);
    await changeFiles();
    await call("snapshot", "create", files);
    await call("snapshot", "verify", "--verify-files-percent=100");
    await call("snapshot", "expire", "--delete", files);
    await call("maintenance", "run", "--full", "--safety=none");
    const restored = join(scratch, "restored");
    await call("restore", files, restored);
    await compareFiles(restored);
    await removeBucket(vault, bucket);
  },
};
