/**
 * `GET /scrub` reports the scrub progress of each drive of the node. `POST /scrub` with `{"action": "start", "drives":
 * ["p3"], "bytesPerSecond": 32000000}` starts to verify drives now, or joins the round requested before; `stop` resumes
 * the scheduled round. Without drives, it applies to all of them.
 */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { z } from "zod";
import type { DriveHost } from "../drive/drive-host.ts";
import { type AdminAction, AdminError } from "./admin-server.ts";

const drives = z.array(z.string()).min(1).max(10_000).optional();
const { bytesPerSecondMin: min, bytesPerSecondMax: max } = scrubMarks;
const requestSchema = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("start"),
    drives,
    bytesPerSecond: z.number().min(min).max(max).optional(),
  }),
  z.strictObject({ action: z.literal("stop"), drives }),
]);

type ScrubbedDrive = Pick<
  DriveHost,
  "address" | "state" | "damage" | "scrubReport" | "startScrub" | "stopScrub"
>;

export function scrubPages(hosts: readonly ScrubbedDrive[]): [string, () => object][] {
  return [["/scrub", () => scrubPage(hosts)]];
}

export function scrubActions(hosts: readonly ScrubbedDrive[]): [string, AdminAction][] {
  const act = (body: unknown): object => {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) {
      throw new AdminError(
        400,
        `The body is {"action": "start" or "stop"}, with "drives" such as ["p3"], and for a start "bytesPerSecond" from ${min} to ${max}.`,
      );
    }
    const request = parsed.data;
    const chosen = request.drives === undefined ? hosts : request.drives.map((each) => hostAt(hosts, each));
    for (const host of chosen) {
      if (request.action === "start") host.startScrub(request.bytesPerSecond ?? null);
      else host.stopScrub();
    }
    return scrubPage(hosts);
  };
  return [["/scrub", act]];
}

function hostAt(hosts: readonly ScrubbedDrive[], address: string): ScrubbedDrive {
  const host = hosts.find((each) => each.address === address);
  if (host === undefined) throw new AdminError(404, `No drive of this node has the address ${address}.`);
  return host;
}

const scrubPage = (hosts: readonly ScrubbedDrive[]): object => ({
  drives: hosts.map((host) => ({
    address: host.address,
    state: host.state,
    damage: host.damage(),
    scrub: host.scrubReport(),
  })),
});
