import { roles } from "@stashlight/contracts/user/roles";
import { wordColumn } from "./word-column.ts";

/** The database has a type of its own for roles, but a session gives the role as any text. */
export const userColumns = { role: wordColumn("user.role", roles) };
