import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Start time of the process with this id, as an opaque text; undefined if there is none. The id and this text identify
 * a process forever, while an id alone is reused after a reboot or some hours.
 */
export function readProcessStart(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      return (
        execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined
      );
    }
    // The second field is the program's name in parentheses, and may contain anything; the 22nd is the start time.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const isZombie = fields[0] === "Z" || fields[0] === "X";
    return isZombie
      ? undefined
      : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}
