-- Where an object's shards are: asked in the console, answered by a coordinator of the vault.
CREATE TABLE "object_question" (
    "id" UUID NOT NULL,
    "ask_id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "bucket" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "asked_by_id" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "location" JSONB,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "object_question_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "object_question_vault_asked_at_idx" ON "object_question"("vault", "asked_at");
CREATE INDEX "object_question_ask_id_idx" ON "object_question"("ask_id");
