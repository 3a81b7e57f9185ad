/** As the network of a label: every EVM network, also those that are enabled later. */
export const EVERY_EVM = "evm";
