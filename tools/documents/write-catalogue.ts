import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../run/environment.ts";
import { withCatalogue } from "./catalogue.ts";

const path = join(repositoryRoot, "docs/metrics.md");
writeFileSync(path, withCatalogue(readFileSync(path, "utf8")));
