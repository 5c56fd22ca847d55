export type Filterable = { label: string; group?: string; keywords?: string };

/**
 * Returns the items that contain every typed word, best first: matches at the start of the label, then at the start of
 * a word, then anywhere. Equal matches keep their order, so an empty query returns the list as given.
 */
export function filterCommands<Item extends Filterable>(items: readonly Item[], query: string): Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .map((item) => ({ item, score: matchScore(item, words) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ item }) => item);
}

function matchScore(item: Filterable, words: readonly string[]): number | null {
  const label = item.label.toLowerCase();
  const rest = `${item.group ?? ""} ${item.keywords ?? ""}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (label.startsWith(word)) score += 4;
    else if (label.includes(` ${word}`)) score += 3;
    else if (label.includes(word)) score += 2;
    else if (rest.includes(word)) score += 1;
    else return null;
  }
  return score;
}
