import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LostObjects } from "@stashlight/contracts/lost-object";
import { DAY_MS } from "@stashlight/contracts/time";
import type { Role } from "@stashlight/contracts/user";
import { exchangeObjectQuestions } from "@stashlight/services/object-location/exchange";
import { openPlatform, type Platform } from "@stashlight/services/platform";
import { assertLoopback } from "./database.ts";
import { type FiringDrives, seedFiringDrives } from "./firing-drives.ts";
import type { Installation } from "./installation.ts";
import {
  forgetMeasuredVault,
  type MeasuredVault,
  type MeasuredVaultOptions,
  seedMeasuredVault,
} from "./measured-vault.ts";
import { createStashNode, type ReportingNode } from "./stash-node.ts";

export interface SeededUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

/** Writes the initial data of specs into an installation's database. */
export interface Seed {
  /** A new user that no other test uses, who can sign in with e-mail address and password. */
  user(role: Role): Promise<SeededUser>;
  /** A vault with recent figures, as its agents would have sent them. */
  measuredVault(options?: MeasuredVaultOptions): Promise<MeasuredVault>;
  /** Removes a measured vault, which would slow down the pages of later tests. */
  forgetVault(vault: MeasuredVault): Promise<void>;
  /** Stores a coordinator's report of the vault's unreadable objects. */
  lostObjects(vault: string, lost: LostObjects): Promise<void>;
  /** A node that reports values set by the test. */
  stashNode(): Promise<ReportingNode>;
  /** A rule that fires for this many drives of one node of a new vault, in the state that an evaluation leaves. */
  firingDrives(count: number): Promise<FiringDrives>;
  close(): Promise<void>;
}

/** Opens the installation as its own processes do, and creates a first admin, which ends the set-up. */
export async function openSeed(installation: Installation): Promise<Seed> {
  assertLoopback(installation.databaseUrl);
  const platform = openPlatform({
    kind: "tool",
    databaseUrl: installation.databaseUrl,
    secret: (await readFile(join(installation.dataFolder, "secret"), "utf8")).trim(),
    publicUrl: installation.url,
    dataDirectory: installation.dataFolder,
    oidc: null,
  });
  const { password: passwords } = await (await platform.auth()).$context;
  // All users of a worker share one random password, because hashing is slow on purpose.
  const password = randomBytes(18).toString("base64url");
  const passwordHash = await passwords.hash(password);

  async function user(role: Role): Promise<SeededUser> {
    const id = randomUUID();
    const label = id.slice(0, 8);
    const made = { id, role, name: `Test ${role} ${label}`, email: `${role}-${label}@example.org` };
    await platform.db.user.create({
      data: {
        ...made,
        emailVerified: true,
        accounts: {
          create: { id: randomUUID(), accountId: id, providerId: "credential", password: passwordHash },
        },
      },
    });
    return { ...made, password };
  }

  await user("admin");
  await pauseBuiltInRules(platform);
  return {
    user,
    lostObjects: async (vault, lost) => {
      const node = { nodeId: randomUUID(), name: "coordinator", isSimulated: false };
      const approved = { ...node, vault, role: "coordinator", status: "active" } as const;
      await exchangeObjectQuestions(platform, approved, [], lost);
    },
    stashNode: () => createStashNode(platform),
    firingDrives: (count) => seedFiringDrives(platform, count),
    measuredVault: (options) => seedMeasuredVault(platform, options),
    forgetVault: (vault) => forgetMeasuredVault(platform, vault),
    close: () => platform.close(),
  };
}

/**
 * Stops built-in rules, because seeded nodes send nothing more and their alerts would depend on the time since then.
 * Rules that a test creates are still evaluated.
 */
async function pauseBuiltInRules({ db }: Platform): Promise<void> {
  await db.alertRule.updateMany({ data: { evaluatedAt: new Date(Date.now() + DAY_MS) } });
}

/** Creates one user in an installation that only one test uses, and the first admin as well. */
export async function seedUser(installation: Installation, role: Role): Promise<SeededUser> {
  const seed = await openSeed(installation);
  try {
    return await seed.user(role);
  } finally {
    await seed.close();
  }
}
