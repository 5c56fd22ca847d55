-- The zone in which times are printed for a user; null is their browser's.
ALTER TABLE "user_account" ADD COLUMN "time_zone" TEXT;
