import { expect, test } from "vitest";
import { licenceFindings } from "./licences.ts";

test.each([
  ["MIT", true],
  ["Apache-2.0", true],
  ["(MIT OR CC0-1.0)", true],
  ["(GPL-3.0-only OR MIT)", true],
  ["MIT and ISC", true],
  ["MIT AND GPL-3.0-only", false],
  ["GPL-3.0-only", false],
  ["LGPL-3.0-or-later", false],
  ["SEE LICENSE IN file", false],
  ["no licence", false],
])("judges a package under %s as shippable: %s", (licence, isAllowed) => {
  const findings = licenceFindings([{ name: "thing", licence }]);
  expect(findings).toEqual(
    isAllowed ? [] : [`thing is under ${licence}, which is not among the allowed licences.`],
  );
});
