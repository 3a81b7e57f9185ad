/** Categories whose contracts form a family: an account's deployments have the category of the account itself. */
const PROTOCOLS: readonly string[] = [
  ...["dex", "lending", "bridge", "high_risk_bridge", "mixer", "launchpad", "oracle", "nft", "derivatives"],
  ...["name_service", "gambling"],
];

/** Categories that count against every contract of such an account, its tokens included. */
export const ACCUSED: readonly string[] = [
  ...["scam", "phishing", "ponzi", "theft", "exploit", "ransomware", "darknet"],
];

export const FAMILY_CATEGORIES: readonly string[] = [...PROTOCOLS, ...ACCUSED];

/**
 * Percent of the native coins that a deployer received before its first deployment: its first funder must have sent
 * this much.
 */
const FUNDED_PERCENT_MIN = 50n;

/** Native coins that a deployer received. */
export interface Inflow {
  readonly peer: string;
  /** Base units. */
  readonly amount: bigint;
}

/**
 * True when the first payer also paid for the first deployment: sending a few coins to a new account, to become its
 * first funder, is not enough.
 * @param inflows before the first deployment, oldest first
 */
export const hasPaidFor = (funder: string, inflows: readonly Inflow[]): boolean => {
  if (inflows[0]?.peer !== funder) return false;
  const all = inflows.reduce((sum, { amount }) => sum + amount, 0n);
  const own = inflows.reduce((sum, { peer, amount }) => (peer === funder ? sum + amount : sum), 0n);
  return own * 100n >= all * FUNDED_PERCENT_MIN;
};
