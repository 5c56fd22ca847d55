import { roles } from "@stashlight/contracts/user";
import { wordColumn } from "./word-column.ts";

/** The database has an enum type for roles, but a session returns the role as text. */
export const userColumns = { role: wordColumn("user.role", roles) };
