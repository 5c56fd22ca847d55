-- CreateTable
CREATE TABLE "probe_drive" (
    "probe_node_id" UUID NOT NULL,
    "node_name" TEXT NOT NULL,
    "device" TEXT NOT NULL,

    CONSTRAINT "probe_drive_pkey" PRIMARY KEY ("probe_node_id","node_name","device")
);

-- CreateTable
CREATE TABLE "fsync_probe" (
    "id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "node_name" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "probe_node_id" UUID NOT NULL,
    "probe_name" TEXT NOT NULL,
    "requested_by_id" TEXT NOT NULL,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "result" JSONB,
    "sentence" TEXT,

    CONSTRAINT "fsync_probe_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "probe_drive_node_name_device_idx" ON "probe_drive"("node_name", "device");

-- CreateIndex
CREATE INDEX "fsync_probe_node_name_device_requested_at_idx" ON "fsync_probe"("node_name", "device", "requested_at");

-- CreateIndex
CREATE INDEX "fsync_probe_probe_node_id_state_idx" ON "fsync_probe"("probe_node_id", "state");

-- AddForeignKey
ALTER TABLE "probe_drive" ADD CONSTRAINT "probe_drive_probe_node_id_fkey" FOREIGN KEY ("probe_node_id") REFERENCES "node"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Closed list, which the schema's text column cannot say.
ALTER TABLE "fsync_probe" ADD CONSTRAINT "fsync_probe_state_check" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed'));
