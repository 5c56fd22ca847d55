-- CreateTable
CREATE TABLE "bucket_question" (
    "id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "question" JSONB NOT NULL,
    "asked_by_id" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_by_id" UUID,
    "taken_by" TEXT,
    "taken_at" TIMESTAMPTZ(3),
    "answer" JSONB,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "bucket_question_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lifecycle_deletion" (
    "vault" TEXT NOT NULL,
    "bucket" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "node_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "lifecycle_deletion_pkey" PRIMARY KEY ("vault","bucket","at","node_id","action","rule_id")
);

-- CreateIndex
CREATE INDEX "bucket_question_vault_asked_at_idx" ON "bucket_question"("vault", "asked_at");

-- CreateIndex
CREATE INDEX "lifecycle_deletion_at_idx" ON "lifecycle_deletion"("at");
