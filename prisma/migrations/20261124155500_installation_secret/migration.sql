-- CreateTable
CREATE TABLE "installation_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "key_id" CHAR(12) NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_secret_pkey" PRIMARY KEY ("id")
);

-- There is one row at most.
ALTER TABLE "installation_secret" ADD CONSTRAINT "installation_secret_id_check" CHECK ("id" = 1);
