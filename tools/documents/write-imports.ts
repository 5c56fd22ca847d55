import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boundaryRules } from "../boundaries/rules.ts";
import { repositoryRoot } from "../run/environment.ts";
import { withImports } from "./imports.ts";

const path = join(repositoryRoot, "docs/architecture.md");
writeFileSync(path, withImports(readFileSync(path, "utf8"), boundaryRules));
