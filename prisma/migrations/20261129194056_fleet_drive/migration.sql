-- CreateTable
CREATE TABLE "fleet_drive" (
    "id" UUID NOT NULL,
    "identity" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "model_key" TEXT NOT NULL,
    "serial" TEXT NOT NULL,
    "node_id" UUID NOT NULL,
    "node" TEXT NOT NULL,
    "vault" TEXT,
    "device" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "days_seen" INTEGER NOT NULL,
    "first_seen_on" DATE NOT NULL,
    "last_seen_on" DATE NOT NULL,
    "marked_by" TEXT,
    "marked_at" TIMESTAMPTZ(3),

    CONSTRAINT "fleet_drive_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drive_stats_quarter" (
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "first_day" DATE NOT NULL,
    "last_day" DATE NOT NULL,
    "day_count" INTEGER NOT NULL,
    "imported_by" TEXT NOT NULL,
    "imported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "drive_stats_quarter_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "drive_stats_model" (
    "quarter" TEXT NOT NULL,
    "model_key" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "drive_days" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL,

    CONSTRAINT "drive_stats_model_pkey" PRIMARY KEY ("quarter","model_key")
);

-- CreateIndex
CREATE UNIQUE INDEX "fleet_drive_identity_key" ON "fleet_drive"("identity");

-- CreateIndex
CREATE INDEX "fleet_drive_model_key_idx" ON "fleet_drive"("model_key");

-- CreateIndex
CREATE INDEX "fleet_drive_serial_idx" ON "fleet_drive"("serial");

-- CreateIndex
CREATE INDEX "fleet_drive_node_id_device_idx" ON "fleet_drive"("node_id", "device");

-- AddForeignKey
ALTER TABLE "drive_stats_model" ADD CONSTRAINT "drive_stats_model_quarter_fkey" FOREIGN KEY ("quarter") REFERENCES "drive_stats_quarter"("name") ON DELETE CASCADE ON UPDATE CASCADE;
