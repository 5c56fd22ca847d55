/**
 * Labels from files of this machine about its location. cloud-init stores the answers of the provider's metadata
 * service in a file, so no network request is needed.
 */
import { readFile } from "node:fs/promises";
import type { DriveLabels } from "@stashlight/contracts/disk";
import { z } from "zod";

const INSTANCE_DATA = "/run/cloud-init/instance-data.json";

const text = z.string().trim().min(1).max(60).nullish().catch(null);
/** The first part has the same keys for all providers; each stores the instance type elsewhere. */
const instanceDataSchema = z.object({
  v1: z.object({ cloud_name: text, region: text }),
  ds: z
    .object({
      meta_data: z
        .object({ instance_type: text, "instance-type": text, machine_type: text })
        .partial()
        .nullish()
        .catch(null),
    })
    .partial()
    .nullish()
    .catch(null),
});

export type HostLabels = Pick<DriveLabels, "provider" | "region" | "instanceType">;

/** All are null without such a file, as on a user's own machine. */
export async function hostLabels(path = INSTANCE_DATA): Promise<HostLabels> {
  const nothing = { provider: null, region: null, instanceType: null };
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch {
    return nothing;
  }
  const parsed = instanceDataSchema.safeParse(value);
  if (!parsed.success) return nothing;
  const { v1, ds } = parsed.data;
  const meta = ds?.meta_data;
  // Google gives a path: projects/1/machineTypes/e2-medium.
  const instanceType =
    meta?.instance_type ?? meta?.["instance-type"] ?? meta?.machine_type?.split("/").at(-1);
  return { provider: v1.cloud_name ?? null, region: v1.region ?? null, instanceType: instanceType ?? null };
}
