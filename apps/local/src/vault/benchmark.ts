import { benchmarkBucket } from "@stashlight/contracts/upload";
import { type VaultFile, VaultFileError } from "@stashlight/node-runtime/config";
import { ensureLocalBenchmark } from "@stashlight/services/benchmark";
import type { InstallationAccess } from "./enrolment.ts";
import { s3Address } from "./vault-file.ts";

/** Creates endpoints and a plan that compare the two upload paths of this vault. */
export async function prepareBenchmark(
  path: string,
  file: VaultFile,
  access: InstallationAccess,
): Promise<void> {
  const findAccessKey = (uploadPath: "stash" | "direct") => {
    const key = file.accessKeys.find(
      (each) => each.uploadPath === uploadPath && each.permission === "write" && each.buckets === "all",
    );
    if (key === undefined) {
      throw new VaultFileError(
        `${path}: there is no access key with "uploadPath": "${uploadPath}" that may write to all buckets, which the benchmark needs.`,
      );
    }
    return { accessKeyId: key.id, secretAccessKey: key.secret };
  };
  const isModelled = file.nodes.some(
    (node) => node.role !== "coordinator" && node.drives.some(({ model }) => model !== undefined),
  );
  const { endpoint, region } = s3Address(file);
  await ensureLocalBenchmark({
    ...access,
    url: endpoint,
    region,
    bucket: benchmarkBucket,
    label: isModelled ? "modelled" : "measured",
    keys: { stash: findAccessKey("stash"), direct: findAccessKey("direct") },
  });
}
