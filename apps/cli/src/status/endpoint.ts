/** Vaults behind one endpoint, as reported by the first one's coordinator on its page `/vaults`. */
import { askAdmin } from "@stashlight/node-runtime/durability";
import { z } from "zod";
import { type Column, renderTable } from "../table.ts";
import { formatShare, formatSize } from "../units.ts";
import { openVault } from "../vault/access.ts";

const pageSchema = z.object({
  vaults: z.array(
    z.object({
      name: z.string(),
      isReachable: z.boolean(),
      trouble: z.string().nullable(),
      freeBytes: z.number(),
      capacityBytes: z.number(),
      newKeysShare: z.number(),
      /** Absent from earlier coordinators. */
      state: z.string().nullish(),
    }),
  ),
  epochCount: z.int().optional(),
  waitsFor: z.array(z.string()).optional(),
  /** This field and the next are absent from earlier coordinators. */
  epochsShare: z.number().optional(),
  mergeWaitsFor: z.array(z.string()).optional(),
});

export interface EndpointReport extends z.infer<typeof pageSchema> {
  readonly problems: readonly string[];
}

export async function readEndpoint(config: string): Promise<EndpointReport> {
  const { coordinator, admin: access } = openVault(config);
  const answer = await askAdmin(coordinator, "/vaults", { access });
  const parsed = answer.type === "answered" ? pageSchema.safeParse(answer.body) : null;
  if (!parsed?.success) return { vaults: [], problems: [`${coordinator.id} does not answer.`] };
  return { ...parsed.data, problems: findProblems(coordinator.id, parsed.data) };
}

function findProblems(id: string, page: z.infer<typeof pageSchema>): string[] {
  const { vaults, waitsFor = [], mergeWaitsFor = [] } = page;
  if (vaults.length === 0) return [`${id} serves only one vault; start it with --config for each vault.`];
  const ofVaults = vaults.flatMap(({ name, isReachable, trouble }) => {
    if (trouble !== null) return [trouble];
    return isReachable
      ? []
      : [`${name} cannot be reached: lists fail, and so do reads of keys that it may hold.`];
  });
  const waits = waitsFor.length === 0 ? [] : [`Another epoch waits for ${waitsFor.join(", ")}.`];
  const merge =
    mergeWaitsFor.length === 0
      ? []
      : [`Epochs are not merged until ${mergeWaitsFor.join(", ")} runs this version; update it.`];
  return [...ofVaults, ...waits, ...merge];
}

const COLUMNS: readonly Column[] = [
  { title: "VAULT" },
  { title: "STATE" },
  { title: "FREE", isRight: true },
  { title: "OF", isRight: true },
  { title: "NEW KEYS", isRight: true },
];

export function renderEndpoint(report: EndpointReport): string[] {
  const { vaults, epochCount = 0, epochsShare, problems } = report;
  const kept = epochsShare === undefined ? "" : `, ${formatShare(epochsShare)} of the space for epochs used`;
  return [
    `${vaults.length} vaults behind one endpoint, epoch ${epochCount} of its keys${kept}`,
    ...problems.map((problem) => `! ${problem}`),
    "",
    ...renderTable(
      COLUMNS,
      vaults.map(({ name, isReachable, freeBytes, capacityBytes, newKeysShare, state }) => [
        name,
        isReachable ? (state === "full" || state === "joining" ? state : "reachable") : "away",
        formatSize(freeBytes),
        formatSize(capacityBytes),
        formatShare(newKeysShare),
      ]),
    ),
  ];
}
