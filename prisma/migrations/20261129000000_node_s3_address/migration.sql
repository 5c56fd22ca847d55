-- AlterTable
ALTER TABLE "node" ADD COLUMN     "s3_region" TEXT,
ADD COLUMN     "s3_url" TEXT;
