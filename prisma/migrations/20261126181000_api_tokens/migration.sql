-- Tokens of the public HTTP API: hashed, with scopes and an end, each of one user.
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "token_hash" CHAR(64) NOT NULL,
    "last_characters" CHAR(4) NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "api_token_token_hash_key" ON "api_token"("token_hash");
CREATE INDEX "api_token_user_id_idx" ON "api_token"("user_id");
CREATE INDEX "api_token_expires_at_idx" ON "api_token"("expires_at");

ALTER TABLE "api_token" ADD CONSTRAINT "api_token_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
