import { accessKeyPermissions } from "@stashlight/contracts/access-key";
import { wordColumn } from "./word-column.ts";

export const accessKeyColumns = { permission: wordColumn("access_key.permission", accessKeyPermissions) };
