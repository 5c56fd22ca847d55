/** Licences of the packages in a bundle, which must accompany it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { licenceFindings } from "./licences.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Throws with a sentence for each package that may not be shipped. */
export function collectNotices(packageFolders: readonly string[]): string {
  const packages = packageFolders
    .filter((folder) => folder.includes("/node_modules/"))
    .map((folder) => ({ folder, manifest: read(join(folder, "package.json")) }));
  const findings = licenceFindings(
    packages.map(({ manifest }) => ({ name: manifest.name, licence: manifest.license ?? "no licence" })),
  );
  if (findings.length > 0) throw new Error(findings.join("\n"));
  const sections = packages.map(
    ({ folder, manifest }) =>
      `${manifest.name} ${manifest.version}, ${manifest.license}\n\n${licenceText(folder)}`,
  );
  return `The program holds code of these packages.\n\n${sections.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const read = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest;

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? "(without a text of its own)" : readFileSync(join(folder, file), "utf8").trim();
}
