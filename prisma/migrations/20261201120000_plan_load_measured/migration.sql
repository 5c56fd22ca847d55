-- Time for which the load of the fleet had been measured when a plan took it.
ALTER TABLE "plan_scenario" ADD COLUMN "load_measured_seconds" DOUBLE PRECISION;
