import type { Core } from "../core.ts";

/** Whether there is an admin; until then nobody can sign in, and the set-up link makes the first one. */
export const isSetUp = async ({ db }: Pick<Core, "db">): Promise<boolean> =>
  (await db.user.count({ where: { role: "admin" } })) > 0;
