/** Licences of packages that may be shipped; all permit use in a product under Apache-2.0. */
const ALLOWED_LICENCES: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  // Unmodified browser data.
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
  /** SPDX expression; "MIT and ISC" occurs too. */
  readonly licence: string;
}

/** One sentence for each package with a forbidden licence. */
export function licenceFindings(packages: readonly Licensed[]): string[] {
  return packages
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, licence }) => `${name} is under ${licence}, which is not among the allowed licences.`);
}

/** One of several alternatives must be allowed, and all parts of a conjunction. */
function isAllowed(licence: string): boolean {
  const alternatives = licence.replaceAll(/[()]/g, "").split(/ or /i);
  return alternatives.some((each) => each.split(/ and /i).every((name) => ALLOWED_LICENCES.includes(name)));
}
