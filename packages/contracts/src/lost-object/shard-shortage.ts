import type { LostObject, ShardShortage } from "./lost-object.ts";

type Shortage = {
  readonly [Name in keyof ShardShortage]: ShardShortage[Name] extends number[] ? readonly number[] : number;
};

/** Formats the reasons why shards cannot be read: "damaged on p3, p7". */
export function shortageReasons({
  damagedPods,
  unreadablePods,
  missingPods,
  silentPods,
}: Pick<Shortage, "damagedPods" | "unreadablePods" | "missingPods" | "silentPods">): string[] {
  const causes = [
    ["damaged on", damagedPods],
    ["unreadable on", unreadablePods],
    ["missing on", missingPods],
    ["no answer from", silentPods],
  ] as const;
  return causes.flatMap(([cause, pods]) =>
    pods.length === 0 ? [] : [`${cause} ${pods.map((podIndex) => `p${podIndex}`).join(", ")}`],
  );
}

/** Formats "4 of 20 shards readable, 16 needed; damaged on p3, p7". */
export function describeShortage(shortage: Shortage): string {
  const { readableCount, shardCount, neededCount } = shortage;
  const counts = `${readableCount} of ${shardCount} shards readable, ${neededCount} needed`;
  return [counts, ...shortageReasons(shortage)].join("; ");
}

/** Names an object as users know it, even if only a part of it is lost. */
export function lostObjectName({
  part,
  bucket,
  key,
  pieceCount,
}: Pick<LostObject, "part" | "bucket" | "key" | "pieceCount">): string {
  const name = bucket === null ? null : key === null ? bucket : `${bucket}/${key}`;
  if (part === "object") return name ?? "an object";
  if (part === "record") return name === null ? "an internal record" : `${name} (a record of it)`;
  const pieces = pieceCount === 1 ? "a piece" : `${pieceCount} pieces`;
  return name === null ? `${pieces} of a large object` : `${name} (${pieces} of it)`;
}
