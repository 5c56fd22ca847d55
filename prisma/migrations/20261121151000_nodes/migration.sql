-- CreateTable
CREATE TABLE "node" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "vault" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "is_simulated" BOOLEAN NOT NULL DEFAULT false,
    "agent_version" TEXT,
    "enrolment_token_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "skew_ms" DOUBLE PRECISION,
    "spool_bytes" BIGINT,

    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_key" (
    "id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "key_hash" CHAR(64) NOT NULL,
    "last_characters" CHAR(4) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "node_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrolment_token" (
    "id" UUID NOT NULL,
    "token_hash" CHAR(64) NOT NULL,
    "last_characters" CHAR(4) NOT NULL,
    "vault" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "use_count_max" INTEGER NOT NULL,
    "use_count" INTEGER NOT NULL DEFAULT 0,
    "is_auto_approved" BOOLEAN NOT NULL DEFAULT false,
    "may_replace" BOOLEAN NOT NULL DEFAULT false,
    "is_simulated" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" TEXT,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "enrolment_token_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "node_name_key" ON "node"("name");

-- CreateIndex
CREATE INDEX "node_enrolment_token_id_idx" ON "node"("enrolment_token_id");

-- CreateIndex
CREATE UNIQUE INDEX "node_key_key_hash_key" ON "node_key"("key_hash");

-- CreateIndex
CREATE INDEX "node_key_node_id_idx" ON "node_key"("node_id");

-- CreateIndex
CREATE UNIQUE INDEX "enrolment_token_token_hash_key" ON "enrolment_token"("token_hash");

-- CreateIndex
CREATE INDEX "enrolment_token_expires_at_idx" ON "enrolment_token"("expires_at");

-- AddForeignKey
ALTER TABLE "node" ADD CONSTRAINT "node_enrolment_token_id_fkey" FOREIGN KEY ("enrolment_token_id") REFERENCES "enrolment_token"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_key" ADD CONSTRAINT "node_key_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "node"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Closed lists, which the schema's text columns cannot say.
ALTER TABLE "node" ADD CONSTRAINT "node_role_check" CHECK ("role" IN ('pod', 'stash', 'coordinator', 'probe'));
ALTER TABLE "node" ADD CONSTRAINT "node_status_check" CHECK ("status" IN ('pending', 'active', 'revoked'));
ALTER TABLE "enrolment_token" ADD CONSTRAINT "enrolment_token_role_check" CHECK ("role" IN ('pod', 'stash', 'coordinator', 'probe'));
ALTER TABLE "enrolment_token" ADD CONSTRAINT "enrolment_token_use_count_check" CHECK ("use_count" BETWEEN 0 AND "use_count_max");
