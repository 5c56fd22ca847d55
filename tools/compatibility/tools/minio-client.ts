import assert from "node:assert/strict";
import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const minioClient: Tool = {
  id: "mc",
  name: "mc (MinIO's client)",
  source: {
    kind: "Go",
    module: "github.com/minio/mc",
    version: "v0.0.0-20250313080218-cf909e1063a9",
    command: ".",
  },
  isQuick: false,
  job: "`mirror` there, again after changes with `--remove`, `diff`, `mirror` back, `rb --force`",
  workaround: null,
  version: async () => "2025-03-13",
  async run({ run, program, vault, bucket, files, scratch, changeFiles, compareFiles }) {
    const host = vault.endpoint.replace("://", `://${vault.accessKeyId}:${vault.secretAccessKey}@`);
    const environment = {
      MC_HOST_vault: host,
      MC_CONFIG_DIR: join(scratch, "config"),
      MC_UPDATE_NOTICE: "off",
    };
    const call = (...args: string[]) => run(program("mc"), ["--quiet", ...args], { environment });
    const remote = `vault/${bucket}`;
    await call("mb", remote);
    await call("mirror", files, `${remote}/backup`);
    await changeFiles();
    await call("mirror", "--overwrite", "--remove", files, `${remote}/backup`);
    assert.equal((await call("diff", files, `${remote}/backup`)).trim(), "");
    const restored = join(scratch, "restored");
    await call("mirror", `${remote}/backup`, restored);
    await compareFiles(restored);
    await call("rb", "--force", remote);
  },
};
