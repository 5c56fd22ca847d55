import { join } from "node:path";
import type { Source, Tool } from "../tool.ts";

/** Debian's version is years older than the newest, and both are in use. */
export const rcloneDebian = describeRclone("rclone-debian", true, { kind: "Debian", packages: ["rclone"] });
export const rclone = describeRclone("rclone", false, {
  kind: "Go",
  module: "github.com/rclone/rclone",
  version: "v1.76.0",
  command: ".",
});

function describeRclone(id: string, isQuick: boolean, source: Source): Tool {
  return {
    id,
    name: source.kind === "Debian" ? "rclone (Debian 12)" : "rclone",
    source,
    isQuick,
    job: "`sync` there, again after changes, `check --download`, `sync` back, a copy in the vault, `purge`",
    workaround: "`AWS_REQUEST_CHECKSUM_CALCULATION=when_required` over plain HTTP from 1.71 on",
    version: async ({ run, program }) => (await run(program("rclone"), ["version"])).split(/\s/)[1] ?? "",
    async run({ run, program, vault, bucket, files, scratch, changeFiles, compareFiles }) {
      const environment = {
        AWS_REQUEST_CHECKSUM_CALCULATION: "when_required",
        RCLONE_CONFIG: join(scratch, "rclone.conf"),
        RCLONE_CONFIG_VAULT_TYPE: "s3",
        RCLONE_CONFIG_VAULT_PROVIDER: "Other",
        RCLONE_CONFIG_VAULT_ENV_AUTH: "false",
        RCLONE_CONFIG_VAULT_ENDPOINT: vault.endpoint,
        RCLONE_CONFIG_VAULT_REGION: vault.region,
        RCLONE_CONFIG_VAULT_ACCESS_KEY_ID: vault.accessKeyId,
        RCLONE_CONFIG_VAULT_SECRET_ACCESS_KEY: vault.secretAccessKey,
        RCLONE_RETRIES: "1",
      };
      const call = (...args: string[]) => run(program("rclone"), args, { environment });
      const remote = `vault:${bucket}/backup`;
      await call("mkdir", `vault:${bucket}`);
      await call("sync", files, remote);
      await changeFiles();
      await call("sync", files, remote);
      await call("check", "--download", files, remote);
      const restored = join(scratch, "restored");
      await call("sync", remote, restored);
      await compareFiles(restored);
      await call("copyto", `${remote}/large`, `vault:${bucket}/copy`);
      await call("purge", `vault:${bucket}`);
    },
  };
}
