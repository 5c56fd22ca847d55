/** Search synonyms of pages, kept apart because only the palette loads them. */
export const pageKeywords: Readonly<Record<string, string>> = {
  "/": "home start dashboard",
  "/write-path":
    "uploads waterfall trace slowest quorum encode fallbacks latency overload shed SlowDown admission",
  "/stash": "ssd occupancy purge lag time to full capacity",
  "/fsync": "latency disk drive slow stall percentiles heatmap hdd ssd",
  "/vaults": "nodes devices drives pods inventory fleet",
  "/buckets": "s3 lifecycle rules expiration retention tags encryption sse key objects expire delete",
  "/explorer": "metrics query any chart label split filter percentile rate catalogue",
  "/dashboards": "dashboard pinned charts own shared start page",
  "/benchmarks": "plans uploads compare b2 s3 schedule runs latency budget",
  "/disks":
    "drives volumes iops throughput sweep volume check burst bucket throttle fio measure compare providers afr failure rates serial failed retired",
  "/planner": "plan sizing capacity ssd drives servers cost growth headroom endurance scenario",
  "/planner/volumes":
    "planner ebs gp2 gp3 io1 io2 st1 sc1 burst credits cost iops drives catalogue datasheet hdd ssd",
  "/simulator": "scenario outage simulation what if slow drive dead server predict",
  "/alerts": "rules firing silence history thresholds notifications",
  "/system": "system ingest lag spool gaps clock skew refused agents cost cpu memory monitoring",
  "/jobs": "schedules runs worker history",
  "/health": "database disk versions status growth outgrown timescale citus",
  "/admin/users": "people roles invite sessions",
  "/admin/nodes": "enrol agents keys tokens approve revoke machines",
  "/admin/channels": "webhook slack e-mail smtp notifications alerts",
  "/admin/endpoints": "benchmarks buckets b2 s3 credentials access keys prices regions",
  "/admin/access-keys": "s3 secret owners buckets read only disable rotate credentials",
  "/admin/audit": "events history export verify",
  "/help/glossary": "help terms words meaning definitions dwpd quorum purge lag tombstone",
  "/settings/api-tokens": "http rest openapi bearer scripts automation ci credentials scopes",
  "/settings": "profile password two-factor sessions theme account",
};
