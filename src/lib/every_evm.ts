/** The family's name, which in labels and `network` fields means every EVM network, including networks enabled later. */
export const EVERY_EVM = "evm";
