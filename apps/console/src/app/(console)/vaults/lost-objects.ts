/** Rows and summary of a vault's lost objects. */
import {
  describeShortage,
  type LostObject,
  lostObjectName,
  type VaultLostObjects,
} from "@stashlight/contracts/lost-object";
import { formatCount, type Status } from "@stashlight/ui";

export interface LostObjectRow {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly since: Date;
  readonly why: string;
}

export interface LostObjectsSummary {
  readonly status: Status;
  readonly title: string;
  readonly detail: string;
}

export const lostObjectRows = (objects: readonly LostObject[]): LostObjectRow[] =>
  objects.map((object) => ({
    id: object.uploadId,
    name: lostObjectName(object),
    sizeBytes: object.sizeBytes,
    since: new Date(object.sinceMs),
    why: describeShortage(object),
  }));

export function summariseLost({
  reportedAt,
  isCurrent,
  total,
  objects,
}: VaultLostObjects): LostObjectsSummary {
  if (reportedAt === null) {
    return {
      status: "unknown",
      title: "No coordinator has reported yet.",
      detail: "Coordinators of this version and later report once a minute; vault lost asks them directly.",
    };
  }
  if (!isCurrent) {
    return {
      status: "unknown",
      title: `The coordinators have stopped reporting; by their last report ${inWords(total)}.`,
      detail: "Check the nodes below: a coordinator that is silent reports again once it is back.",
    };
  }
  if (total === 0) {
    return {
      status: "good",
      title: "No object is known to be unreadable.",
      detail: "Every few minutes pods look for missing shards; vault verify reads every object.",
    };
  }
  const hidden = objects === null ? " Their names are shown to operators." : "";
  return {
    status: "bad",
    title: `${inWords(total)}.`,
    detail: `They stay listed, and can be read again once enough drives are back. Bring drives back before anything else, and replace none that may come back.${hidden}`,
  };
}

const inWords = (total: number): string =>
  total === 1 ? "1 object cannot be read" : `${formatCount(total)} objects cannot be read`;
