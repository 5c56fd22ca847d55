import { repositoryRoot } from "../run/environment.ts";
import { checkDocuments } from "./check.ts";

const findings = checkDocuments(repositoryRoot);
for (const { file, line, message } of findings) console.log(`${file}:${line}: ${message}`);
if (findings.length > 0) process.exitCode = 1;
