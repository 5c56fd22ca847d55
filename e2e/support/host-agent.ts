import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Enrolment, startEnrolledAgent } from "./enrolled-agent.ts";

const ENTRY = resolve(import.meta.dirname, "../../agents/host/src/main.ts");

/**
 * The agent of a watched machine as people run it, with a folder whose syncs it times and a store whose metrics it reads.
 * Resolves when it watches.
 */
export async function startHostAgent({ storeUrl, ...enrolment }: Enrolment & { readonly storeUrl: string }) {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-host-"));
  const timed = join(folder, "timed");
  await mkdir(timed);
  const scrapeFile = join(folder, "scrape.yaml");
  const source = `{ name: prod, kind: ceph, urls: ["${storeUrl}"], everySeconds: 5 }`;
  await writeFile(scrapeFile, `sources:\n  - ${source}\n`);
  return startEnrolledAgent(ENTRY, folder, enrolment, [
    ...["--fsync", `${timed}=ssd`, "--scrape", scrapeFile],
  ]);
}
