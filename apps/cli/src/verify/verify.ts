/** `vault verify`: reads back and checks everything that a vault lists or has acknowledged. */
import type { LostObjects } from "@stashlight/contracts/lost-object";
import type { S3Client } from "@stashlight/s3/client";
import { readJournal } from "../load/journal.ts";
import { Ledger } from "../load/ledger.ts";
import { collectLost } from "../lost/collect.ts";
import type { Screen } from "../screen.ts";
import { counted } from "../units.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import type { VerifyCommand } from "./arguments.ts";
import { type CheckedObject, checkObject, type ObjectToCheck } from "./check-object.ts";
import { type Durability, type DurabilityReport, measureDurability } from "./durability.ts";
import { listAll } from "./list-buckets.ts";
import { nameLost } from "./name-lost.ts";
import { renderVerification } from "./render.ts";
import { type Finding, isGood, type LostBucket, type Verification } from "./verification.ts";

export interface VerifyOptions {
  readonly vault: VaultAccess;
  /** Other vaults behind its endpoint. */
  readonly furtherVaults?: readonly VaultAccess[];
  readonly client: S3Client;
  readonly ledger: Ledger;
  /** Null for all. */
  readonly bucket: string | null;
  readonly onProgress: (line: string) => void;
}

const READS_AT_A_TIME = 8;

/** Resolves to the exit code. */
export async function runVerify(
  { config, furtherConfigs = [], journal, bucket }: VerifyCommand,
  screen: Screen,
): Promise<number> {
  const vault = openVault(config);
  const furtherVaults = furtherConfigs.map(openVault);
  const ledger = journal === null ? new Ledger() : readJournal(journal);
  const client = vault.createClient(READS_AT_A_TIME);
  try {
    const verification = await verify({
      vault,
      furtherVaults,
      client,
      ledger,
      bucket,
      onProgress: screen.draw,
    });
    for (const line of renderVerification(verification, vault.file.scheme)) screen.say(line);
    return isGood(verification) ? 0 : 1;
  } finally {
    client.close();
  }
}

export async function verify(options: VerifyOptions): Promise<Verification> {
  const { client, vault, furtherVaults = [] } = options;
  const known = await collectLost([vault, ...furtherVaults]);
  const { objects, lostBuckets } = await objectsToCheck(options, known);
  const read = await checkAll(client, objects, options.onProgress);
  // The reads may have made coordinators find more lost objects.
  const checked = nameLost(read, await collectLost([vault, ...furtherVaults]));
  const right = checked.filter((entry) => entry.type === "right");
  options.onProgress("Querying all nodes for durable shards");
  const vaults = [vault, ...furtherVaults].map(({ coordinator, file, admin: access }) => {
    return { nodes: file.nodes, coordinator, access };
  });
  const durability = mergeReports(await Promise.all(vaults.map((each) => measureDurability(each, right))));
  const dataShardCount = Math.max(...[vault, ...furtherVaults].map(({ file }) => file.scheme.dataShardCount));
  const measured = durability.durabilities.filter(({ durableShardCount }) => durableShardCount !== null);
  const thin = measured.flatMap((entry) => tooFew(entry, dataShardCount));
  return {
    rightCount: right.length,
    uncomparedCount: right.filter(({ isCompared }) => !isCompared).length,
    absentCount: checked.filter(({ type }) => type === "absent").length,
    lost: [...checked.filter((entry) => entry.type === "lost"), ...thin],
    unreadable: checked.filter((entry) => entry.type === "unreadable"),
    lostBuckets,
    wrong: checked.filter((entry) => entry.type === "wrong"),
    ...summarise(measured),
    unmeasuredCount: right.length - measured.length,
    silentNodeIds: [...durability.silentNodeIds],
  };
}

type Checked = CheckedObject & { readonly bucket: string; readonly key: string };

/** Everything listed, and everything in the ledger. */
async function objectsToCheck(
  { client, ledger, bucket, onProgress }: VerifyOptions,
  lost: LostObjects,
): Promise<{ readonly objects: ObjectToCheck[]; readonly lostBuckets: LostBucket[] }> {
  const found = new Map<string, ObjectToCheck>();
  const isAsked = (name: string): boolean => bucket === null || bucket === name;
  const expectations = ledger.expectations().filter((each) => isAsked(each.bucket));
  const withObjects = new Set([
    ...expectations.filter(({ allowed }) => !allowed.has(null)).map((each) => each.bucket),
    ...lost.objects.flatMap((each) => (each.bucket !== null && isAsked(each.bucket) ? [each.bucket] : [])),
  ]);
  const lostBuckets = await listAll(client, { bucket, withObjects }, (name, key) => {
    found.set(`${name}/${key}`, { bucket: name, key, expectation: ledger.find(name, key) });
    onProgress(`Listing ${name}, ${counted(found.size, "object")}`);
  });
  for (const expectation of expectations) {
    found.set(`${expectation.bucket}/${expectation.key}`, { ...expectation, expectation });
  }
  return { objects: [...found.values()], lostBuckets };
}

async function checkAll(
  client: S3Client,
  objects: readonly ObjectToCheck[],
  onProgress: (line: string) => void,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let object = objects[next++]; object !== undefined; object = objects[next++]) {
      const { bucket, key } = object;
      checked.push({ bucket, key, ...(await checkObject(client, object)) });
      onProgress(`Reading back ${checked.length} of ${counted(objects.length, "object")}`);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, work));
  return checked;
}

/** Each object is in one of the vaults; the others hold nothing of it, or versions that it replaced. */
function mergeReports(reports: readonly DurabilityReport[]): DurabilityReport {
  const [first, ...others] = reports as [DurabilityReport, ...DurabilityReport[]];
  const durabilities = first.durabilities.map((entry, at) => {
    const counts = [entry, ...others.flatMap(({ durabilities: same }) => same[at] ?? [])].flatMap(
      ({ durableShardCount }) => durableShardCount ?? [],
    );
    return { ...entry, durableShardCount: counts.length === 0 ? null : Math.max(...counts) };
  });
  return { durabilities, silentNodeIds: new Set(reports.flatMap(({ silentNodeIds }) => [...silentNodeIds])) };
}

function tooFew({ object, durableShardCount }: Durability, neededCount: number): Finding[] {
  if (durableShardCount === null || durableShardCount >= neededCount) return [];
  const why = `only ${durableShardCount} of its shards are durable, and ${neededCount} are needed`;
  return [{ bucket: object.bucket, key: object.key, why }];
}

function summarise(measured: readonly Durability[]) {
  const objectCountByDurableShards = new Map<number, number>();
  let weakest: Durability | null = null;
  for (const entry of measured) {
    const count = entry.durableShardCount ?? 0;
    objectCountByDurableShards.set(count, (objectCountByDurableShards.get(count) ?? 0) + 1);
    if (weakest === null || count < (weakest.durableShardCount ?? 0)) weakest = entry;
  }
  return { objectCountByDurableShards, weakest };
}
