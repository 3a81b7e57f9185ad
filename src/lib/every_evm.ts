/** The word for every EVM network, also those that are enabled later, in labels and in `network` fields: the family's name. */
export const EVERY_EVM = "evm";
