/**
 * How much of its rated endurance a disk has used, by its own account. NVMe has one field for it, whoever made the
 * disk; the SMART attributes of SATA disks mean something else with each maker, so nothing is read of those.
 */
import { execFile } from "node:child_process";
import { z } from "zod";

const ANSWER_WITHIN_MS = 10_000;
const ANSWER_BYTES_MAX = 262_144;
const NVME_NAME = /^nvme\d+(c\d+)?n\d+$/;

const answerSchema = z.object({
  nvme_smart_health_information_log: z.object({ percentage_used: z.int().min(0).max(255) }),
});

/** 0 to 1 and beyond; null where the disk does not tell, or smartctl is missing or may not ask. */
export async function readWearRatio(diskName: string): Promise<number | null> {
  if (!NVME_NAME.test(diskName)) return null;
  const text = await runSmartctl(["--json=c", "-A", `/dev/${diskName}`]);
  try {
    const answer = answerSchema.parse(JSON.parse(text));
    return answer.nvme_smart_health_information_log.percentage_used / 100;
  } catch {
    return null;
  }
}

/** What it printed. Its exit code is not looked at: bits of it warn of disks that are worn and answer all the same. */
function runSmartctl(args: readonly string[]): Promise<string> {
  const limits = { timeout: ANSWER_WITHIN_MS, killSignal: "SIGKILL", maxBuffer: ANSWER_BYTES_MAX } as const;
  return new Promise((resolve) => {
    execFile("smartctl", args, limits, (_error, stdout) => resolve(stdout));
  });
}
