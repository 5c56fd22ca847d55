import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../run/environment.ts";
import { withPlanInputs } from "./plan-inputs.ts";

const path = join(repositoryRoot, "docs/planning.md");
writeFileSync(path, withPlanInputs(readFileSync(path, "utf8")));
