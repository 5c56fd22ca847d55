-- What somebody or something did at a time and charts show: a deploy, a swapped drive.
CREATE TABLE "annotation" (
    "id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "vault" TEXT,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "annotation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "annotation_ends_at_check" CHECK ("ends_at" > "starts_at")
);

CREATE INDEX "annotation_starts_at_idx" ON "annotation"("starts_at");
