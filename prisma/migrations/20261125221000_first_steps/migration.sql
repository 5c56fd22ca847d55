-- The list of first steps: which of them were seen to be done, where the trace of it does not last, and who hides the list.
CREATE TABLE "first_step" (
    "name" TEXT NOT NULL,
    "done_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "first_step_pkey" PRIMARY KEY ("name")
);
ALTER TABLE "user_account" ADD COLUMN "first_steps_hidden_at" TIMESTAMPTZ(3);
