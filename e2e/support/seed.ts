import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LostObjects } from "@stashlight/contracts/lost-object";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import type { Role } from "@stashlight/contracts/user/roles";
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

/** Puts into an installation's database what a spec starts from. */
export interface Seed {
  /** A new user whom no other test knows, who can sign in with e-mail address and password. */
  user(role: Role): Promise<SeededUser>;
  /** A vault with figures of the last while, as its agents would have sent them. */
  measuredVault(options?: MeasuredVaultOptions): Promise<MeasuredVault>;
  /** Ends what a measured vault costs the pages of later tests. */
  forgetVault(vault: MeasuredVault): Promise<void>;
  /** A coordinator's report of the objects of the vault that cannot be read. */
  lostObjects(vault: string, lost: LostObjects): Promise<void>;
  /** A node that reports the values that the test sets. */
  stashNode(): Promise<ReportingNode>;
  /** A rule that fires for this many drives of one node of a vault of its own, as an evaluation leaves them. */
  firingDrives(count: number): Promise<FiringDrives>;
  close(): Promise<void>;
}

/** Opens the installation as its own processes do, and makes a first admin, which ends the set-up. */
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
  // Hashing is slow on purpose, so all users of a worker share one random password.
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
 * The nodes of a seeded vault send nothing more, so the number of its alerts would depend on the time since then. Rules
 * that a test creates are evaluated.
 */
async function pauseBuiltInRules({ db }: Platform): Promise<void> {
  await db.alertRule.updateMany({ data: { evaluatedAt: new Date(Date.now() + DAY_MS) } });
}

/** One user for an installation of a test's own; makes the first admin as well. */
export async function seedUser(installation: Installation, role: Role): Promise<SeededUser> {
  const seed = await openSeed(installation);
  try {
    return await seed.user(role);
  } finally {
    await seed.close();
  }
}
