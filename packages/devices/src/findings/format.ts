const counted = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const formatCount = (count: number): string => counted.format(Math.round(count));

export const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Formats in binary units: "4 KiB", "42.7 KiB", "1 MiB". */
export function formatSize(bytes: number): string {
  const [size, unit] = bytes >= 1_048_576 ? [bytes / 1_048_576, "MiB"] : [bytes / 1_024, "KiB"];
  return `${Number(size.toFixed(1))} ${unit}`;
}

export function formatTime(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  return `${hours > 0 ? `${hours} h ` : ""}${minutes} min ${whole % 60} s`;
}
