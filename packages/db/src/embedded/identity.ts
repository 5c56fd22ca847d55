/**
 * Chooses the user that runs Postgres, which refuses to run as root. If started by root it runs as the owner of the
 * data, else as the system user `postgres`, which is created if missing, else as the unprivileged user of every Unix.
 */
import { spawnSync } from "node:child_process";
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./errors.ts";

export interface Identity {
  uid: number;
  gid: number;
}

/** Returns undefined to run as the current user. */
export function chooseIdentity(dataDirectory: string): Identity | undefined {
  const ownUid = process.getuid?.() ?? 0;
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (ownUid !== 0) {
    if (owner !== undefined && owner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        "other_owner",
        `The database in ${dataDirectory} belongs to the user ${userName(owner.uid)}; start as that user, or choose another data folder.`,
      );
    }
    return undefined;
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const identity = systemUser();
  if (owner !== undefined) giveTree(dataDirectory, identity);
  return identity;
}

function giveTree(directory: string, { uid, gid }: Identity): void {
  chownSync(directory, uid, gid);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) giveTree(path, { uid, gid });
    else lchownSync(path, uid, gid);
  }
}

function systemUser(): Identity {
  const existing = findUser("postgres");
  if (existing) return existing;
  const home = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  spawnSync("useradd", ["--system", "--user-group", ...home, "postgres"], { stdio: "ignore" });
  const user = findUser("postgres") ?? findUser("nobody");
  if (user) return user;
  throw new EmbeddedPostgresError(
    "no_permission",
    "Postgres refuses to run as root and there is no user `postgres`; add one, or start Stashlight as an ordinary user.",
  );
}

function findUser(name: string): Identity | undefined {
  const entry = passwordEntries().find((fields) => fields[0] === name);
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : undefined;
}

function userName(uid: number): string {
  return passwordEntries().find((fields) => Number(fields[2]) === uid)?.[0] ?? String(uid);
}

function passwordEntries(): string[][] {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    return lines.filter((line) => line.includes(":")).map((line) => line.split(":"));
  } catch {
    return [];
  }
}
