/** Fields of the dialog that creates a token. */
import {
  type ApiScope,
  apiScopes,
  apiScopeWords,
  apiTokenDaysMax,
  roleOfApiScope,
} from "@stashlight/contracts/api-token";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { fieldTable, held, number, text } from "@stashlight/ui/fields";

export const tokenFields = fieldTable({
  name: text("Name", { help: "The script or machine that will use it." }),
  lifetimeDays: number("Valid for", {
    unit: "days",
    initial: "90",
    inputMode: "numeric",
    problem: "Enter a whole number of days.",
    help: `At most ${apiTokenDaysMax} days.`,
  }),
  scopes: held<ApiScope[]>([]),
});

/** Rights that a user of this role can give a token. */
export const scopeOptions = (role: Role) =>
  apiScopes
    .filter((scope) => roleIncludes(role, roleOfApiScope[scope]))
    .map((value) => ({ value, label: apiScopeWords[value] }));
