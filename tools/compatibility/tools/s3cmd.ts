import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const s3cmd: Tool = {
  id: "s3cmd",
  name: "s3cmd",
  source: { kind: "PyPI", packages: ["s3cmd==2.4.0"] },
  isQuick: true,
  job: "`sync` there, again after changes with `--delete-removed`, `info`, `sync` back, `cp`, `rb --recursive`",
  workaround: "`host_bucket` like `host_base`",
  version: async ({ run, program }) => (await run(program("s3cmd"), ["--version"])).split(" ").at(-1) ?? "",
  async run({ run, program, vault, bucket, files, scratch, changeFiles, compareFiles }) {
    const config = join(scratch, "s3cmd.conf");
    const settings = {
      access_key: vault.accessKeyId,
      secret_key: vault.secretAccessKey,
      host_base: vault.host,
      host_bucket: vault.host,
      bucket_location: vault.region,
      use_https: "False",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    await writeFile(config, `[default]\n${lines.join("\n")}\n`);
    const call = (...args: string[]) => run(program("s3cmd"), ["-c", config, "--no-progress", ...args]);
    const url = `s3://${bucket}`;
    await call("mb", url);
    await call("sync", `${files}/`, `${url}/backup/`);
    await changeFiles();
    await call("sync", "--delete-removed", `${files}/`, `${url}/backup/`);
    await call("info", `${url}/backup/large`);
    const restored = join(scratch, "restored");
    await run("mkdir", [restored]);
    await call("sync", `${url}/backup/`, `${restored}/`);
    await compareFiles(restored);
    await call("cp", `${url}/backup/large`, `${url}/copy`);
    await call("rb", "--recursive", url);
  },
};
