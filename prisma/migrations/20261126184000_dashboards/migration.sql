-- Charts that a person put together, whether everybody may read them, and which of them is a person's start page.
CREATE TABLE "dashboard" (
    "id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "dashboard_panel" (
    "id" UUID NOT NULL,
    "dashboard_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_panel_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "user_account" ADD COLUMN "start_dashboard_id" UUID;

CREATE UNIQUE INDEX "dashboard_owner_id_name_key" ON "dashboard"("owner_id", "name");
CREATE INDEX "dashboard_panel_dashboard_id_position_idx" ON "dashboard_panel"("dashboard_id", "position");

ALTER TABLE "dashboard" ADD CONSTRAINT "dashboard_owner_id_fkey"
  FOREIGN KEY ("owner_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dashboard_panel" ADD CONSTRAINT "dashboard_panel_dashboard_id_fkey"
  FOREIGN KEY ("dashboard_id") REFERENCES "dashboard"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_account" ADD CONSTRAINT "user_account_start_dashboard_id_fkey"
  FOREIGN KEY ("start_dashboard_id") REFERENCES "dashboard"("id") ON DELETE SET NULL ON UPDATE CASCADE;
