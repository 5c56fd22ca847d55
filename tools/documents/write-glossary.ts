import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../run/environment.ts";
import { withGlossary } from "./glossary.ts";

const path = join(repositoryRoot, "docs/glossary.md");
writeFileSync(path, withGlossary(readFileSync(path, "utf8")));
