/** Awaits all promises concurrently and names each result, because positions would have to match in two places. */
export async function allNamed<Asked extends object>(
  asked: Asked,
): Promise<{ [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const entries = Object.entries(asked).map(async ([name, result]) => [name, await result]);
  return Object.fromEntries(await Promise.all(entries));
}
