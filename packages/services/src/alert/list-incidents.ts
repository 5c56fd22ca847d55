import type { AlertIncidentRow, listAlertIncidentsInput } from "@stashlight/contracts/alert";
import { alertIncidentColumns } from "@stashlight/db/columns/alert";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { alertPath } from "./link.ts";

/** Lists incidents that were open in a range, each once, the latest first. */
export async function listAlertIncidents({
  ctx,
  input,
}: Verb<typeof listAlertIncidentsInput>): Promise<AlertIncidentRow[]> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const { fromMs, toMs, ruleId, pageSize } = input;
  const incidents = await db.alertIncident.findMany({
    where: {
      openedAt: { lte: new Date(toMs) },
      OR: [{ endedAt: null }, { endedAt: { gte: new Date(fromMs) } }],
      ...(ruleId === undefined ? {} : { ruleId }),
    },
    orderBy: [{ openedAt: "desc" }, { id: "asc" }],
    take: pageSize,
  });
  const notified = await findNotified(
    db,
    incidents.map(({ id }) => id),
  );
  const nowMs = now().getTime();
  return incidents.map((incident) => {
    const { id, ruleId, ruleName, vault, openedAt, endedAt, summary, worst, mutedBy, acknowledgement } =
      incident;
    return {
      id,
      ruleId,
      ruleName,
      vault,
      openedAt,
      endedAt,
      summary,
      worst,
      mutedBy,
      acknowledgement,
      severity: alertIncidentColumns.severity.read(incident.severity, id),
      groupCount: incident.groups.length,
      lastedSeconds: ((endedAt?.getTime() ?? nowMs) - openedAt.getTime()) / 1000,
      notified: notified.get(id) ?? noChannels,
      path: alertPath(ruleId, incident.worstGroup, openedAt.getTime(), endedAt?.getTime() ?? nowMs),
    };
  });
}

const noChannels = { delivered: [], waiting: [], failed: [] };

type Notified = AlertIncidentRow["notified"];

/** Groups the channels of each incident by delivery outcome: a channel that received a message was notified. */
async function findNotified(db: Core["db"], incidentIds: readonly string[]): Promise<Map<string, Notified>> {
  if (incidentIds.length === 0) return new Map();
  const deliveries = await db.alertDelivery.findMany({
    where: { event: { incidentId: { in: [...incidentIds] } } },
    select: { state: true, channel: { select: { name: true } }, event: { select: { incidentId: true } } },
  });
  const byIncident = Map.groupBy(deliveries, ({ event }) => event.incidentId ?? "");
  return new Map(
    [...byIncident].map(([id, ofIncident]) => {
      const named = (state: string, known: readonly string[] = []) => {
        const names = ofIncident.filter((each) => each.state === state).map(({ channel }) => channel.name);
        return [...new Set(names)].filter((name) => !known.includes(name)).sort();
      };
      const delivered = named("delivered");
      const waiting = named("waiting", delivered);
      return [id, { delivered, waiting, failed: named("failed", [...delivered, ...waiting]) }];
    }),
  );
}
