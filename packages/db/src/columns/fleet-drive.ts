import { driveStates } from "@stashlight/contracts/failure-rate";
import { wordColumn } from "./word-column.ts";

export const fleetDriveColumns = { state: wordColumn("fleet_drive.state", driveStates) };
