-- AlterTable
ALTER TABLE "two_factor" ADD COLUMN     "last_accepted_step" INTEGER;
