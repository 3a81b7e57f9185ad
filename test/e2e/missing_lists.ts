const PACKS = "graphsense-tagpacks";

/** The lines of `assay doctor` about lists in a store without any. */
export const MISSING_LISTS: readonly string[] = [
  "- no sanctions list is imported: run assay labels fetch ofac-sdn or ofac-addresses.",
  ...[
    ["theft", "forta-malicious"],
    ["exploit", `${PACKS} or forta-malicious`],
    ["mixer", PACKS],
    ["phishing", `${PACKS} or forta-phishing or forta-malicious or scamsniffer-addresses`],
    ...["scam", "ponzi", "gambling"].map((category) => [category, PACKS]),
  ].map(([category, lists]) => `- no list names ${category} addresses: run assay labels fetch ${lists}.`),
  "- no list names child_abuse, terror, ransomware, darknet, non_kyc_exchange, privacy_service, high_risk_bridge addresses: import one of your own with assay labels import.",
  "- no list names phishing sites: run assay labels fetch eth-phishing-detect or scamsniffer-domains.",
  "- no token list is imported: run assay labels fetch uniswap-tokens.",
];
