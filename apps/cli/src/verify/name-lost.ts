/** Adds the missing shards to unreadable objects, from the coordinators' lists. */
import { describeShortage, type LostObjects } from "@stashlight/contracts/lost-object";
import type { CheckedObject } from "./check-object.ts";

/** A read of an unreadable object in pieces breaks off in mid-body, so only the coordinators know the reason. */
export function nameLost<Checked extends CheckedObject & { readonly bucket: string; readonly key: string }>(
  checked: readonly Checked[],
  { objects }: Pick<LostObjects, "objects">,
) {
  const whyByName = new Map(
    objects.map((object) => {
      const of = object.part === "piece" ? "of a piece " : "";
      return [`${object.bucket}/${object.key}`, `${of}${describeShortage(object)}`];
    }),
  );
  return checked.map((entry) => {
    if (entry.type !== "unreadable" && entry.type !== "lost") return entry;
    const why = whyByName.get(`${entry.bucket}/${entry.key}`);
    return why === undefined ? entry : { ...entry, type: "unreadable" as const, why };
  });
}
