/**
 * Position of an endpoint among all endpoints by age, which determines its colour on every page. SQL for the endpoint
 * in `column`; null once it is deleted.
 */
export const placeOfEndpoint = (column: string): string =>
  `(SELECT place FROM (SELECT id, row_number() OVER (ORDER BY created_at, id)::int - 1 AS place FROM endpoint) AS placed
     WHERE placed.id = ${column})`;
