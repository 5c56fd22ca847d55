/** Shortens names: with up to 64 characters they would make a verdict four lines long. */
const LENGTH_MAX = 28;
const END_LENGTH = 11;

/** Keeps the beginning and end of a name, because names of one series differ at either end. */
function shorten(name: string): string {
  const letters = [...name];
  if (letters.length <= LENGTH_MAX) return name;
  const begin = letters.slice(0, LENGTH_MAX - END_LENGTH - 1).join("");
  return `${begin.trimEnd()}…${letters.slice(-END_LENGTH).join("").trimStart()}`;
}

/** Returns names for one sentence: long ones shortened, unless two of them would become the same. */
export function shortNames<Names extends readonly string[]>(names: Names): { [At in keyof Names]: string } {
  const short = names.map(shorten);
  const isTelling = new Set(short).size === new Set(names).size;
  return (isTelling ? short : [...names]) as { [At in keyof Names]: string };
}
