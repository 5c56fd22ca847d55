interface Begun {
  readonly startUs: number | null;
}

/** First known moment of an upload, in microseconds before its shards were sent; never positive. */
export const firstMomentUs = ({
  verify,
  encode,
}: {
  readonly verify: Begun;
  readonly encode: Begun;
}): number => Math.min(0, verify.startUs ?? 0, encode.startUs ?? 0);
