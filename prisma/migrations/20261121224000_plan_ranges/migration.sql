-- AlterTable
ALTER TABLE "plan_scenario" ADD COLUMN "ranges" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN "around_share" DOUBLE PRECISION NOT NULL DEFAULT 0.2;
ALTER TABLE "plan_scenario" ALTER COLUMN "ranges" DROP DEFAULT,
ALTER COLUMN "around_share" DROP DEFAULT;

-- Plans that were shared before had no ranges of their own.
UPDATE "report_link" SET "document" = "document" || '{"ranges": [], "aroundShare": 0.2}' WHERE "kind" = 'plan';
