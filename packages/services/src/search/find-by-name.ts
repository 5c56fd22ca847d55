/**
 * Finds objects of the installation by name. Every word of the query must occur in the name or in its parent's name,
 * ignoring case. Each kind returns a few results; its own page lists all.
 */
import type { Found, FoundKind, searchInput } from "@stashlight/contracts/search";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { findDevices, findUploads } from "@stashlight/db/metrics";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { visibleTo } from "../dashboard/stored-dashboard.ts";

/** Results per kind in a list of several kinds. */
const COUNT_MAX = 6;

type Finder = (platform: Core, words: readonly string[], userId: string) => Promise<Omit<Found, "kind">[]>;

export async function findByName({ ctx, input }: Verb<typeof searchInput>): Promise<Found[]> {
  const { role, userId } = requireRole(ctx, "viewer");
  const words = input.text.split(/\s+/);
  const found = await Promise.all(
    finders
      .filter(({ needs }) => roleIncludes(role, needs))
      .map(async ({ kind, find }) =>
        (await find(ctx.platform, words, userId)).slice(0, COUNT_MAX).map((each) => ({ kind, ...each })),
      ),
  );
  return found.flat();
}

/** Prisma passes the pattern to LIKE, in which these signs are wildcards. */
const literal = (word: string): string => word.replaceAll(/[\\%_]/g, "\\$&");

/** Matches rows that have each word in one of the columns. */
const everyWord = <Column extends string>(words: readonly string[], columns: readonly Column[]) => ({
  AND: words.map((word) => ({
    OR: columns.map((column) => ({ [column]: { contains: literal(word), mode: "insensitive" as const } })),
  })),
});

const hasEveryWord = (words: readonly string[], ...texts: readonly string[]): boolean => {
  const all = texts.join(" ").toLowerCase();
  return words.every((word) => all.includes(word.toLowerCase()));
};

const address = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query)}`;

const vaults: Finder = async ({ db }, words) => {
  const rows = await db.node.groupBy({
    by: ["vault"],
    where: { status: { not: "revoked" }, ...everyWord(words, ["vault"]) },
    _count: true,
    orderBy: { vault: "asc" },
    take: COUNT_MAX,
  });
  return rows.map(({ vault, _count: count }) => ({
    id: vault,
    label: vault,
    detail: `${count} ${count === 1 ? "node" : "nodes"}`,
    href: address("/vaults", { vault }),
  }));
};

const nodes: Finder = async ({ db }, words) => {
  const rows = await db.node.findMany({
    where: { status: { not: "revoked" }, ...everyWord(words, ["name", "vault"]) },
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, vault: true, role: true },
  });
  return rows.map(({ id, name, vault, role }) => ({
    id,
    label: name,
    detail: `${role} of ${vault}`,
    href: address("/vaults", { vault, node: name }),
  }));
};

/** Finds drives of nodes by their measurements, and drives that a probe offers to measure. */
const drives: Finder = async ({ db, metrics }, words) => {
  const devices = await findDevices(metrics, words);
  const holders = await db.node.findMany({
    where: { id: { in: devices.map(({ nodeId }) => nodeId) }, status: { not: "revoked" } },
    select: { id: true, name: true, vault: true },
  });
  const ofNodes = devices.flatMap(({ nodeId, device }) => {
    const node = holders.find(({ id }) => id === nodeId);
    if (node === undefined || !hasEveryWord(words, device, node.name, node.vault)) return [];
    const { name, vault } = node;
    return [
      {
        id: `${nodeId} ${device}`,
        label: `${device} of ${name}`,
        detail: `drive in ${vault}`,
        href: address("/vaults", { vault, node: name, device }),
      },
    ];
  });
  const measured = await db.endpoint.findMany({
    where: { kind: "drive", ...everyWord(words, ["name"]) },
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true },
  });
  return [
    ...ofNodes,
    ...measured.map(({ id, name }) => ({ id, label: name, detail: "measured drive", href: `/disks/${id}` })),
  ];
};

/** Finds the reader's own dashboards, and those that others share. */
const dashboards: Finder = async ({ db }, words, userId) => {
  const rows = await db.dashboard.findMany({
    where: { AND: [visibleTo(userId), everyWord(words, ["name"])] },
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, ownerId: true, owner: { select: { name: true } } },
  });
  return rows.map(({ id, name, ownerId, owner }) => ({
    id,
    label: name,
    detail: ownerId === userId ? "your dashboard" : `dashboard of ${owner.name}`,
    href: `/dashboards/${id}`,
  }));
};

const endpoints: Finder = async ({ db }, words) => {
  const rows = await db.endpoint.findMany({
    where: { kind: { not: "drive" }, ...everyWord(words, ["name", "bucket"]) },
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, bucket: true },
  });
  return rows.map(({ id, name, bucket }) => ({
    id,
    label: name,
    detail: `bucket ${bucket}`,
    href: address("/admin/endpoints", { q: name }),
  }));
};

const benchmarkPlans: Finder = async ({ db }, words) => {
  const rows = await db.benchmarkPlan.findMany({
    where: everyWord(words, ["name", "description"]),
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true },
  });
  return rows.map(({ id, name }) => ({
    id,
    label: name,
    detail: "benchmark schedule",
    href: `/benchmarks/plans/${id}`,
  }));
};

/** Finds benchmark runs, newest first. */
const runs: Finder = async ({ db }, words) => {
  const rows = await db.benchmarkRun.findMany({
    where: everyWord(words, ["endpointName", "planName"]),
    orderBy: { slotAt: "desc" },
    take: COUNT_MAX,
    select: { id: true, endpointName: true, planName: true, slotAt: true, state: true },
  });
  return rows.map(({ id, endpointName, planName, slotAt, state }) => ({
    id,
    label: `${endpointName}, ${slotAt.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    detail: `${state}${planName === null ? "" : `, ${planName}`}`,
    href: `/benchmarks/runs/${id}`,
  }));
};

const capacityPlans: Finder = async ({ db }, words) => {
  const rows = await db.planScenario.findMany({
    where: everyWord(words, ["name", "note"]),
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, updatedByName: true },
  });
  return rows.map(({ id, name, updatedByName }) => ({
    id,
    label: name,
    detail: `by ${updatedByName}`,
    href: address("/planner", { scenario: id }),
  }));
};

const simulations: Finder = async ({ db }, words) => {
  const rows = await db.simulationRun.findMany({
    where: everyWord(words, ["name"]),
    orderBy: { createdAt: "desc" },
    take: COUNT_MAX,
    select: { id: true, name: true, state: true },
  });
  return rows.map(({ id, name, state }) => ({ id, label: name, detail: state, href: `/simulator/${id}` }));
};

const alertRules: Finder = async ({ db }, words) => {
  const rows = await db.alertRule.findMany({
    where: everyWord(words, ["name", "description"]),
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, severity: true, isEnabled: true },
  });
  return rows.map(({ id, name, severity, isEnabled }) => ({
    id,
    label: name,
    detail: isEnabled ? severity : "turned off",
    href: `/alerts/${id}`,
  }));
};

/** Finds sampled uploads, by bucket or by id: an upload's page shows where its shards went and which are durable. */
const uploads: Finder = async ({ metrics }, words) =>
  (await findUploads(metrics, words, COUNT_MAX)).map(
    ({ uploadId, bucket, startedAt, durableCount, shardCount }) => ({
      id: uploadId,
      label: `${bucket}, ${startedAt.toISOString().slice(0, 19).replace("T", " ")} UTC`,
      detail: `${durableCount} of ${shardCount} shards durable on pods`,
      href: address("/write-path", { upload: uploadId }),
    }),
  );

const users: Finder = async ({ db }, words) => {
  const rows = await db.user.findMany({
    where: everyWord(words, ["name", "email"]),
    orderBy: { name: "asc" },
    take: COUNT_MAX,
    select: { id: true, name: true, email: true, role: true },
  });
  return rows.map(({ id, name, email, role }) => ({
    id,
    label: name,
    detail: `${email}, ${role}`,
    href: address("/admin/users", { q: email }),
  }));
};

/** In display order. */
const finders: readonly { readonly kind: FoundKind; readonly needs: Role; readonly find: Finder }[] = [
  { kind: "vault", needs: "viewer", find: vaults },
  { kind: "node", needs: "viewer", find: nodes },
  { kind: "drive", needs: "viewer", find: drives },
  { kind: "dashboard", needs: "viewer", find: dashboards },
  { kind: "endpoint", needs: "operator", find: endpoints },
  { kind: "benchmark plan", needs: "viewer", find: benchmarkPlans },
  { kind: "run", needs: "viewer", find: runs },
  { kind: "capacity plan", needs: "viewer", find: capacityPlans },
  { kind: "simulation", needs: "viewer", find: simulations },
  { kind: "alert rule", needs: "viewer", find: alertRules },
  { kind: "upload", needs: "viewer", find: uploads },
  { kind: "user", needs: "admin", find: users },
];
