/** The licences under which packages may be that we ship; all allow that, in a product under Apache-2.0. */
const ALLOWED_LICENCES: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  // Data of browsers, which is not changed.
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Fonts.
  "OFL-1.1",
  "Unlicense",
];

export interface Licensed {
  readonly name: string;
  /** As SPDX has it; "MIT and ISC" occurs too. */
  readonly licence: string;
}

/** A sentence for each package whose licence is not allowed. */
export function licenceFindings(packages: readonly Licensed[]): string[] {
  return packages
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, licence }) => `${name} is under ${licence}, which is not among the allowed licences.`);
}

/** One of several alternatives must be allowed, and all that hold together. */
function isAllowed(licence: string): boolean {
  const alternatives = licence.replaceAll(/[()]/g, "").split(/ or /i);
  return alternatives.some((each) => each.split(/ and /i).every((name) => ALLOWED_LICENCES.includes(name)));
}
