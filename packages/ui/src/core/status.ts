/** Status, which determines the shape, colour and word everywhere. */
export type Status = "good" | "warning" | "bad" | "info" | "unknown";

export const statusWord: Record<Status, string> = {
  good: "Good",
  warning: "Warning",
  bad: "Bad",
  info: "Information",
  unknown: "Unknown",
};

export const statusText: Record<Status, string> = {
  good: "text-good",
  warning: "text-warning",
  bad: "text-bad",
  info: "text-accent-ink",
  unknown: "text-unknown",
};

export const statusGround: Record<Status, string> = {
  good: "bg-good-soft",
  warning: "bg-warning-soft",
  bad: "bg-bad-soft",
  info: "bg-accent-soft",
  unknown: "bg-unknown-soft",
};
