import { join } from "node:path";
import type { Tool } from "../tool.ts";

const FOLDER = join(import.meta.dirname, "sdk-go");

export const sdkGo: Tool = {
  id: "sdk-go",
  name: "AWS SDK for Go v2",
  source: { kind: "Go project", folder: FOLDER },
  isQuick: false,
  job: "uploads in parts, deletes what is gone, downloads, a conditional write",
  workaround: null,
  version: async ({ run, program }) => (await run(program("sdk-go"), ["version"])).trim(),
  async run({ run, program, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const call = (step: string, folder: string) =>
      run(program("sdk-go"), [step, bucket, folder], { environment: awsEnvironment });
    await call("backup", files);
    await changeFiles();
    await call("backup", files);
    const restored = join(scratch, "restored");
    await call("restore", restored);
    await compareFiles(restored);
    await call("remove", restored);
  },
};
