import { StashlightError } from "@stashlight/contracts/errors";

interface NamedTable {
  findUnique(query: {
    where: { name: string };
    select: { id: true };
  }): PromiseLike<{ readonly id: string } | null>;
}

/** Refuses a name that another row of the table has; a new row has no id yet. `row` is a noun with its article. */
export async function refuseTakenName(
  table: NamedTable,
  row: string,
  name: string,
  ownId: string | null,
): Promise<void> {
  const taken = await table.findUnique({ where: { name }, select: { id: true } });
  if (taken === null || taken.id === ownId) return;
  throw new StashlightError("conflict", `${row} "${name}" already exists; choose another name.`, {
    field: "name",
  });
}
