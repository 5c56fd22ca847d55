/** Checks out another commit of this repository beside this one, installed and ready to run. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../run/environment.ts";

/** Files that start the checkout's vault; an older commit may not have them. */
const HOST_SCRIPTS = ["host.ts", "target.ts"];

const run = promisify(execFile);

/** Throws an Error if the repository has no such commit. The checkout is kept for the next run. */
export async function checkOut(revision: string): Promise<{ root: string; commit: string }> {
  const commit = await resolveCommit(revision);
  // Outside node_modules, below which Node.js runs no TypeScript.
  const root = join(tmpdir(), `stashlight-bench-${commit.slice(0, 12)}`);
  const entry = "apps/local/src/main.ts";
  if (!existsSync(join(root, entry))) {
    rmSync(root, { recursive: true, force: true });
    await run("git", ["clone", "--quiet", "--shared", "--no-checkout", repositoryRoot, root]);
    await run("git", ["-C", root, "checkout", "--quiet", commit]);
  }
  for (const script of HOST_SCRIPTS) {
    copyFileSync(join(import.meta.dirname, script), join(root, "tools/bench/vault", script));
  }
  // A separate installation, because its dependencies may differ.
  await run(process.execPath, ["tools/bootstrap.mjs", "--prepare", entry], { cwd: root });
  return { root, commit };
}

async function resolveCommit(revision: string): Promise<string> {
  try {
    const args = ["-C", repositoryRoot, "rev-parse", "--verify", "--quiet", `${revision}^{commit}`];
    return (await run("git", args)).stdout.trim();
  } catch {
    throw new Error(
      `This repository has no commit "${revision}"; --against takes a commit, a branch or a tag.`,
    );
  }
}
