-- CreateTable
CREATE TABLE "access_key" (
    "id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "access_key_id" TEXT NOT NULL,
    "secret_access_key" TEXT NOT NULL,
    "secret_hint" CHAR(4) NOT NULL,
    "secret_since" TIMESTAMPTZ(3) NOT NULL,
    "permission" TEXT NOT NULL,
    "buckets" TEXT[],
    "disabled_at" TIMESTAMPTZ(3),
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "access_key_access_key_id_key" ON "access_key"("access_key_id");

-- CreateIndex
CREATE INDEX "access_key_vault_idx" ON "access_key"("vault");

-- Closed list, which the schema's text column cannot say.
ALTER TABLE "access_key" ADD CONSTRAINT "access_key_permission_check" CHECK ("permission" IN ('read', 'write'));
