-- The weekly report: who wants it, what it said of a week, and whom it was sent to.
ALTER TABLE "user_account" ADD COLUMN "wants_weekly_report" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "weekly_report" (
    "week" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "weekly_report_pkey" PRIMARY KEY ("week")
);

CREATE TABLE "weekly_report_delivery" (
    "week" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "weekly_report_delivery_pkey" PRIMARY KEY ("week", "user_id")
);

CREATE INDEX "weekly_report_delivery_state_next_attempt_at_idx"
    ON "weekly_report_delivery"("state", "next_attempt_at");

ALTER TABLE "weekly_report_delivery" ADD CONSTRAINT "weekly_report_delivery_week_fkey"
    FOREIGN KEY ("week") REFERENCES "weekly_report"("week") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "weekly_report_delivery" ADD CONSTRAINT "weekly_report_delivery_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
