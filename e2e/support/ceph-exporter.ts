/** Answers as Ceph's manager and exporter do, for one OSD that syncs a hundred times between two requests. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const SYNCS = 100;
const SYNC_SECONDS = 0.004;

export async function startCephExporter() {
  let syncs = 5_000;
  const server = createServer((_, response) => {
    syncs += SYNCS;
    response.setHeader("content-type", "text/plain; version=0.0.4");
    response.end(`ceph_osd_metadata{ceph_daemon="osd.3",device_class="ssd"} 1.0
ceph_osd_up{ceph_daemon="osd.3"} 1.0
ceph_bluestore_kv_sync_lat_sum{ceph_daemon="osd.3"} ${syncs * SYNC_SECONDS}
ceph_bluestore_kv_sync_lat_count{ceph_daemon="osd.3"} ${syncs}
ceph_bluefs_db_used_bytes{ceph_daemon="osd.3"} 412483584.0
ceph_bluefs_db_total_bytes{ceph_daemon="osd.3"} 5364514816.0
`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/metrics`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
