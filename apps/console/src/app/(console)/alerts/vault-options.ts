import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";

/** The choice that stands for no vault in particular. */
export const everyVault = { value: "", label: "every vault" };

/** The choices of a field that names one vault or leaves it open. */
export const useVaultOptions = () => [
  everyVault,
  ...useKnownVaults().map(({ name }) => ({ value: name, label: name })),
];
