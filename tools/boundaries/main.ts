import { repositoryRoot } from "../run/environment.ts";
import { checkRepository, formatFinding } from "./check.ts";
import { boundaryRules } from "./rules.ts";

const findings = checkRepository(repositoryRoot, boundaryRules);
for (const finding of findings) console.log(formatFinding(finding));
if (findings.length > 0) {
  const count =
    findings.length === 1 ? "1 import boundary is broken" : `${findings.length} import boundaries are broken`;
  console.log(`${count}. The rules are in tools/boundaries/rules.ts.`);
  process.exitCode = 1;
}
