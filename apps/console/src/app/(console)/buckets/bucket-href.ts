export function bucketHref(vault: string, bucket: string | null): string {
  const query = new URLSearchParams({ vault, ...(bucket !== null && { bucket }) });
  return `/buckets?${query}`;
}
