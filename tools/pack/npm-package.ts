/** The command line as an npm package without dependencies: the bundled program and the licences of its parts. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run/command.ts";
import { repositoryRoot } from "../run/environment.ts";
import { bundleProgram } from "./bundle.ts";
import { collectNotices } from "./notices.ts";

const README = `# stashlight

The command line of Stashlight: plan how many SSDs a stash needs, measure object stores and drives, and operate a
vault. It also contains the agent and the probe that run on nodes.

    stashlight plan --example > plan.json && stashlight plan --input plan.json
    stashlight bench run --endpoint endpoint.json --preset small-uploads/b2-2023
    stashlight disk check --folder /srv/ssd0
    stashlight vault status --config vault.json
    stashlight --help
`;

/** Returns the path of the tarball. */
export async function writeNpmPackage(folder: string): Promise<string> {
  const staging = mkdtempSync(join(tmpdir(), "stashlight-npm-"));
  try {
    const { packageFolders } = await bundleProgram(join(staging, "stashlight.cjs"));
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
    writeFileSync(join(staging, "README.md"), README);
    writeFileSync(join(staging, "NOTICES"), collectNotices(packageFolders));
    cpSync(join(repositoryRoot, "LICENSE"), join(staging, "LICENSE"));
    mkdirSync(folder, { recursive: true });
    const args = ["pack", staging, "--pack-destination", folder, "--ignore-scripts", "--json"];
    const { isGreen, output } = await runCommand("npm", args);
    if (!isGreen) throw new Error(`npm pack failed:\n${output}`);
    return join(folder, `${manifest().name}-${manifest().version}.tgz`);
  } finally {
    rmSync(staging, { recursive: true });
  }
}

function manifest() {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(repositoryRoot, "package.json"), "utf8"),
  ) as Record<"name" | "version" | "description" | "license", string>;
  return {
    name,
    version,
    description,
    license,
    bin: { stashlight: "stashlight.cjs" },
    files: ["stashlight.cjs", "NOTICES"],
    engines: { node: ">=24" },
  };
}
