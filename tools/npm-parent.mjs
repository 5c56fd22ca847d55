/** npm outlives the programs that it runs: if it is gone, it was killed, and its programs end too. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const pollMs = 500;

/** Calls `whenGone` once, when the npm that started this process has ended; never outside of an npm script. */
export function watchNpm(whenGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  // npm starts a shell, which may have become this process or still be between the two.
  const { name, parentPid } = describeProcess(parent);
  const npm = /(^|\/)(ba|da|a|z)?sh$/.test(name) ? parentPid : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    whenGone();
  }, pollMs);
  timer.unref();
  return timer;
}

function describeProcess(pid) {
  const text = readStatus(pid) ?? askPs(pid);
  const [, parentPid, name] = text.match(/^\s*(\d+)\s+(.*?)\s*$/) ?? [];
  return { name: name ?? "", parentPid: Number(parentPid ?? pid) };
}

function readStatus(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return `${status.match(/^PPid:\s*(\d+)/m)?.[1]} ${status.match(/^Name:\s*(.*)/m)?.[1]}`;
  } catch {
    return undefined;
  }
}

function askPs(pid) {
  return spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
