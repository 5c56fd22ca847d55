-- Since when a process has written its heartbeat without a gap.
ALTER TABLE "process_heartbeat" ADD COLUMN "steady_since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
