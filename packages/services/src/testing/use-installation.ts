/** Installations that a file of tests opens and closes with hooks. */
import type { Role } from "@stashlight/contracts/user";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openTestInstallation, type Person, type TestInstallation } from "./support.ts";

type UsedInstallation<Users extends Role> = Readonly<Record<Users, Person>> & {
  readonly installation: TestInstallation;
};

/** Opens an installation with these users before the first test, and closes it after the last. */
export function useSharedInstallation<Users extends Role = never>(
  ...roles: Users[]
): UsedInstallation<Users> {
  const { used, open } = prepareInstallation(roles);
  beforeAll(open);
  afterAll(() => used.installation.close());
  return used;
}

/** Opens an installation with these users before each test, and closes it after the test. */
export function useFreshInstallation<Users extends Role = never>(...roles: Users[]): UsedInstallation<Users> {
  const { used, open } = prepareInstallation(roles);
  beforeEach(open);
  afterEach(() => used.installation.close());
  return used;
}

/** Tests keep references to these objects, so every opening fills the same ones. */
function prepareInstallation<Users extends Role>(roles: readonly Users[]) {
  const installation = {} as TestInstallation;
  const people = Object.fromEntries(roles.map((role) => [role, {}])) as Record<Users, Person>;
  const open = async () => {
    Object.assign(installation, await openTestInstallation());
    for (const role of roles) Object.assign(people[role], await installation.person(role));
  };
  return { used: { ...people, installation }, open };
}
