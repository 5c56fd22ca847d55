import { repositoryRoot } from "../run/environment.ts";
import { checkMutations } from "./check.ts";
import { mutationExceptions } from "./exceptions.ts";

const findings = checkMutations(repositoryRoot, mutationExceptions);
for (const { file, line, message } of findings) console.log(`${file}:${line}: ${message}`);
if (findings.length > 0) process.exitCode = 1;
