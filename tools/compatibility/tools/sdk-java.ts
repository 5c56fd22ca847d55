import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const sdkJava: Tool = {
  id: "sdk-java",
  name: "AWS SDK for Java v2",
  source: { kind: "Maven", folder: join(import.meta.dirname, "sdk-java") },
  isQuick: false,
  job: "uploads, deletes what is gone, downloads, a conditional write, metadata",
  workaround: null,
  version: ({ run, program }) => run("java", ["-cp", program("*"), "Job", "version"]),
  async run({ run, program, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const call = (step: string, folder: string) =>
      run("java", ["-cp", program("*"), "Job", step, bucket, folder], { environment: awsEnvironment });
    await call("backup", files);
    await changeFiles();
    await call("backup", files);
    const restored = join(scratch, "restored");
    await call("restore", restored);
    await compareFiles(restored);
    await call("remove", restored);
  },
};
