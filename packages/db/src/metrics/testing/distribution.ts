/**
 * Finds syntax that Citus cannot pass on to its workers: tables distributed by `node_id` must be joined, grouped and
 * made distinct by that column. Also finds conditions that Postgres plans badly: see `read-windows.ts` on ranges of
 * time.
 */

type Node = Readonly<Record<string, unknown>>;

/** Tables that exist on every machine, or on the coordinator only; all others are distributed by `node_id`. */
const COPIED = ["fleet", "fleet_member"];
const CENTRAL = ["rollup_due", "rollup_watermark"];

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly alias: string;
}

const isSpread = ({ schema, name }: Table): boolean =>
  schema === "metric" && !COPIED.includes(name) && !CENTRAL.includes(name);
const isCentral = ({ schema, name }: Table): boolean =>
  schema === "public" || (schema === "metric" && CENTRAL.includes(name));

export function listProblems(parsed: unknown): string[] {
  const problems: string[] = [];
  walk(parsed, (kind, node) => {
    if (kind === "SelectStmt") problems.push(...problemsOfSelect(node));
    if (kind === "InsertStmt") problems.push(...problemsOfInsert(node));
    if (kind === "RangeSubselect" && node.lateral === true) problems.push(...problemsOfLateral(node));
    if (kind === "JoinExpr") problems.push(...problemsOfOuterJoin(node));
  });
  return problems;
}

/** Calls `visit` with each typed node, parents first. */
const walk = (value: unknown, visit: (kind: string, node: Node) => void): void =>
  walkOutside([], value, visit);

/** Like `walk`, but skips nodes of some kinds with everything inside them. */
function walkOutside(
  kinds: readonly string[],
  value: unknown,
  visit: (kind: string, node: Node) => void,
): void {
  if (Array.isArray(value)) {
    for (const each of value) walkOutside(kinds, each, visit);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      if (kinds.includes(key)) continue;
      if (/^[A-Z]/.test(key)) visit(key, child as Node);
      walkOutside(kinds, child, visit);
    }
  }
}

const has = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined);

const parseTable = (node: Node): Table => ({
  schema: String(node.schemaname ?? "public"),
  name: String(node.relname),
  alias: String((node.alias as Node | undefined)?.aliasname ?? node.relname),
});

/** The tables of a FROM, optionally with those of its subqueries. */
function referencedTables(from: unknown, isDeep: boolean): Table[] {
  const tables: Table[] = [];
  walkOutside(isDeep ? [] : ["RangeSubselect"], from, (kind, node) => {
    if (kind === "RangeVar") tables.push(parseTable(node));
  });
  return tables;
}

function referencedColumn(value: unknown): string | null {
  const fields = ((value as Node | undefined)?.ColumnRef as Node | undefined)?.fields as Node[] | undefined;
  if (fields === undefined) return null;
  return fields.map((field) => (field.String as Node | undefined)?.sval ?? "*").join(".");
}

/** Pairs of columns compared for equality anywhere below, or joined by `USING`. */
function equalities(value: unknown): [string, string][] {
  const equal: [string, string][] = [];
  walk(value, (kind, node) => {
    if (kind !== "A_Expr" || node.kind !== "AEXPR_OP") return;
    if (((node.name as Node[])[0]?.String as Node | undefined)?.sval !== "=") return;
    const [left, right] = [referencedColumn(node.lexpr), referencedColumn(node.rexpr)];
    if (left !== null && right !== null) equal.push([left, right]);
  });
  return equal;
}

/** True if the tables' `node_id` are equal, directly or through other columns. */
function areJoined(tables: readonly Table[], scope: unknown): boolean {
  const equal = equalities(scope);
  const [first, ...rest] = tables;
  if (first === undefined) return true;
  const reached = new Set([`${first.alias}.node_id`]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const [left, right] of equal) {
      if (reached.has(left)) reached.add(right);
      if (reached.has(right)) reached.add(left);
    }
  }
  return rest.every(({ alias }) => reached.has(`${alias}.node_id`));
}

function problemsOfSelect(select: Node): string[] {
  const problems: string[] = [];
  const direct = referencedTables(select.fromClause, false);
  const every = referencedTables(select.fromClause, true);
  const spread = every.filter(isSpread);
  if (spread.length === 0) return [];
  if (!has(select.targetList)) problems.push("selects no column");
  if (has(select.lockingClause)) problems.push(`locks rows of ${spread[0]?.name}`);
  const ownSpread = direct.filter(isSpread);
  if (!areJoined(ownSpread, [select.fromClause, select.whereClause])) {
    problems.push(`joins ${ownSpread.map(({ alias }) => alias).join(" and ")} not by node_id`);
  }
  for (const { name } of direct.filter(isCentral)) {
    problems.push(`joins ${name}, which is on one machine, with ${spread[0]?.name}`);
  }
  const measured = ownSpread.filter(({ name }) => /^(hist|sample|gauge|counter)_(raw|1m|10m|1h)$/.test(name));
  if (hasFunction(select.fromClause) && comparesTimes(select)) {
    problems.push(
      ...measured.map(({ name }) => `joins a range of ${name} with unnest outside of a lateral subquery`),
    );
  }
  return problems;
}

/** True if a FROM has a function beside tables. */
const hasFunction = (from: unknown): boolean =>
  ((from as unknown[] | undefined) ?? []).some((each) => isFunctionIn(each as Node));

function isFunctionIn({ RangeFunction, JoinExpr }: Node): boolean {
  if (RangeFunction !== undefined) return (RangeFunction as Node).lateral !== true;
  const { larg, rarg } = (JoinExpr ?? {}) as Node;
  return [larg, rarg].some((side) => side !== undefined && isFunctionIn(side as Node));
}

/** True if joins or conditions outside subqueries compare a `ts` by inequality. */
function comparesTimes({ fromClause, whereClause }: Node): boolean {
  let isFound = false;
  walkOutside(["RangeSubselect", "SubLink"], [fromClause, whereClause], (kind, node) => {
    if (kind === "A_Expr" && isTimeRange(node)) isFound = true;
  });
  return isFound;
}

function isTimeRange({ name, lexpr, rexpr }: Node): boolean {
  const operator = ((name as Node[])[0]?.String as Node | undefined)?.sval;
  return (
    /^[<>]=?$/.test(String(operator)) &&
    [lexpr, rexpr].some((side) => referencedColumn(side)?.endsWith(".ts"))
  );
}

function problemsOfLateral({ subquery }: Node): string[] {
  const select = (subquery as Node).SelectStmt as Node;
  const isUnion = select.op !== undefined && select.op !== "SETOP_NONE";
  const spread = referencedTables([select.fromClause, select.larg, select.rarg], true).filter(isSpread);
  if (spread.length === 0) return [];
  if (isUnion) return [`joins a union of ${spread.map(({ name }) => name).join(" and ")}`];
  const problems: string[] = [];
  if (has(select.limitCount) || has(select.limitOffset)) {
    problems.push(`limits a lateral subquery of ${spread[0]?.name}`);
  }
  const grouped = ((select.groupClause as unknown[] | undefined) ?? []).map(referencedColumn);
  const isGrouped = grouped.some((column) => column?.endsWith("node_id"));
  if (aggregates(select.targetList) && !isGrouped) {
    problems.push(`aggregates a lateral subquery without its node_id, of ${spread[0]?.name}`);
  }
  return problems;
}

const AGGREGATES = [
  "max",
  "min",
  "sum",
  "count",
  "string_agg",
  "array_agg",
  "jsonb_agg",
  "json_agg",
  "bool_or",
];

function aggregates(targets: unknown): boolean {
  let isFound = false;
  walk(targets, (kind, node) => {
    if (kind !== "FuncCall") return;
    const names = (node.funcname as Node[]).map((part) => (part.String as Node | undefined)?.sval);
    if (AGGREGATES.includes(String(names.at(-1)))) isFound = true;
  });
  return isFound;
}

/** If the other side of an outer join is a distributed table, the preserved side must be one too. */
function problemsOfOuterJoin({ jointype, larg, rarg }: Node): string[] {
  if (jointype !== "JOIN_LEFT") return [];
  const [kept, other] = [referencedTables(larg, true), referencedTables(rarg, true)];
  if (!other.some(isSpread) || kept.some(isSpread)) return [];
  return ["keeps rows of what is no table spread by node_id in an outer join with one that is"];
}

function problemsOfInsert({ relation, cols, onConflictClause }: Node): string[] {
  const table = parseTable(relation as Node);
  if (!isSpread(table)) return [];
  const columnName = (each: Node): unknown => ((each.ResTarget ?? each.IndexElem) as Node | undefined)?.name;
  const problems: string[] = [];
  if (!((cols as Node[] | undefined) ?? []).some((each) => columnName(each) === "node_id")) {
    problems.push(`inserts into ${table.name} without node_id`);
  }
  const target = ((onConflictClause as Node | undefined)?.infer as Node | undefined)?.indexElems as
    | Node[]
    | undefined;
  if (target !== undefined && !target.some((each) => columnName(each) === "node_id")) {
    problems.push(`has a conflict target of ${table.name} without node_id`);
  }
  return problems;
}
