import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";

/** Value that means no particular vault. */
export const everyVault = { value: "", label: "every vault" };

/** Options of a field that names one vault or leaves it open. */
export const useVaultOptions = () => [
  everyVault,
  ...useKnownVaults().map(({ name }) => ({ value: name, label: name })),
];
