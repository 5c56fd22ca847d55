/** An installation on a fresh database, with users and a manual clock, for database tests of services and api. */
import type { Principal, Role } from "@stashlight/contracts/user";
import { type Database, openDatabase, type Transaction } from "@stashlight/db";
import { createTestDatabase, type TestDatabase } from "@stashlight/db/testing";
import { vi } from "vitest";
import { hashNewPassword } from "../auth/credentials.ts";
import type { Context } from "../context.ts";
import { newId, newToken } from "../ids.ts";
import { openPlatform, type Platform, type PlatformOptions } from "../platform.ts";
import { ensureSchedules } from "../schedule/ensure.ts";

export const testPassword = "correct horse battery staple";
const nobodyOrigin = { ipAddress: "192.0.2.1", userAgent: "test-browser/1.0" };

/** A manual clock. */
export interface TestClock {
  now(): Date;
  set(instant: Date): void;
  advance(ms: number): void;
}

export interface Person {
  userId: string;
  email: string;
  ctx: Context<Platform>;
}

export interface TestInstallation {
  database: TestDatabase;
  platform: Platform;
  clock: TestClock;
  nobody: Context<Platform>;
  /** Creates a user with `testPassword` and one session, and returns what their requests carry. */
  person(role: Role, name?: string): Promise<Person>;
  /** Opens another process on the same database. */
  anotherPlatform(options?: Partial<PlatformOptions>): Platform;
  /** Acts like an attacker with the owner's password. */
  asOwner<Result>(action: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export async function openTestInstallation(
  options: Partial<PlatformOptions> = {},
): Promise<TestInstallation> {
  const database = await createTestDatabase();
  const clock = createClock();
  const opened: Platform[] = [];
  const anotherPlatform = (more: Partial<PlatformOptions> = {}) => {
    const platform = openPlatform({
      kind: "console",
      databaseUrl: database.runtimeUrl,
      secret: "a secret of the tests, long enough to be taken for one",
      publicUrl: "http://console.test",
      dataDirectory: null,
      oidc: null,
      now: clock.now,
      ...options,
      ...more,
    });
    opened.push(platform);
    return platform;
  };
  const platform = anotherPlatform();
  const owner = openDatabase({
    url: database.ownerUrl,
    purpose: "tool",
    applicationName: "test-owner",
    connectionsMax: 2,
  });
  const nobody: Context<Platform> = { platform, principal: null, origin: nobodyOrigin };
  return {
    database,
    platform,
    clock,
    nobody,
    anotherPlatform,
    person: (role, name = role) => createPerson(nobody, role, name),
    asOwner: (action) => asOwner(owner, action),
    close: async () => {
      await Promise.all([owner.$disconnect(), ...opened.map((each) => each.close())]);
      // A server process may outlive its connection for a moment, and the owner may not end the runtime role's.
      await vi.waitFor(() => database.drop(), { timeout: 15_000, interval: 50 });
    },
  };
}

function createClock(): TestClock {
  let instant = new Date();
  return {
    now: () => new Date(instant),
    set: (to) => {
      instant = to;
    },
    advance: (ms) => {
      instant = new Date(instant.getTime() + ms);
    },
  };
}

let passwordHash: Promise<string> | undefined;

async function createPerson(nobody: Context<Platform>, role: Role, name: string): Promise<Person> {
  passwordHash ??= hashNewPassword(testPassword);
  const { db, now } = nobody.platform;
  const userId = newId();
  const email = `${name}-${userId.slice(0, 8)}@example.org`.toLowerCase();
  await db.user.create({
    data: {
      id: userId,
      name,
      email,
      emailVerified: true,
      role,
      accounts: {
        create: {
          id: newId(),
          accountId: userId,
          providerId: "credential",
          password: await passwordHash,
        },
      },
    },
  });
  const sessionId = await createSession(db, userId, now());
  const principal: Principal = {
    userId,
    sessionId,
    email,
    name,
    role,
    twoFactorEnabled: false,
    timeZone: null,
  };
  return { userId, email, ctx: { ...nobody, principal } };
}

export async function createSession(db: Database, userId: string, now: Date): Promise<string> {
  const id = newId();
  await db.session.create({
    data: {
      id,
      token: newToken(),
      userId,
      ipAddress: nobodyOrigin.ipAddress,
      userAgent: nobodyOrigin.userAgent,
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
  });
  return id;
}

function asOwner<Result>(owner: Database, action: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return owner.$transaction(async (tx) => {
    // Every connection begins in the runtime role, which the login role may leave.
    await tx.$executeRaw`SET LOCAL ROLE NONE`;
    return action(tx);
  });
}

/** Every logged event, oldest first. */
export function auditEvents(platform: Platform) {
  return platform.db.auditEvent.findMany({ orderBy: { sequence: "asc" } });
}

/** Creates only this built-in schedule, for tests that count runs. */
export async function ensureOnlySchedule(platform: Platform, id: string): Promise<void> {
  await ensureSchedules(platform);
  await platform.db.schedule.deleteMany({ where: { id: { not: id } } });
}
