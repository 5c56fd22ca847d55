-- CreateTable
CREATE TABLE "lost_object_report" (
    "node_id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    "total" INTEGER NOT NULL,
    "objects" JSONB NOT NULL,

    CONSTRAINT "lost_object_report_pkey" PRIMARY KEY ("node_id")
);

-- CreateIndex
CREATE INDEX "lost_object_report_vault_idx" ON "lost_object_report"("vault");
