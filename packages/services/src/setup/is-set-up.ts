import type { Core } from "../core.ts";

/** True if there is an admin; until then no user can sign in, and the set-up link creates the first one. */
export const isSetUp = async ({ db }: Pick<Core, "db">): Promise<boolean> =>
  (await db.user.count({ where: { role: "admin" } })) > 0;
