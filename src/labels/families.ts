/** Whose contracts are one family: what an account deploys is of the kind that it is itself. */
const PROTOCOLS: readonly string[] = [
  ...["dex", "lending", "bridge", "high_risk_bridge", "mixer", "launchpad", "oracle", "nft", "derivatives"],
  ...["name_service", "gambling"],
];

/** What speaks against all that such an account has made, its tokens too. */
export const ACCUSED: readonly string[] = [
  ...["scam", "phishing", "ponzi", "theft", "exploit", "ransomware", "darknet"],
];

export const FAMILY_CATEGORIES: readonly string[] = [...PROTOCOLS, ...ACCUSED];

/** Of the native coins that a deployer had got before it deployed for the first time: what its first funder must have sent. */
const FUNDED_PERCENT_MIN = 50n;

/** Native coins that came to a deployer. */
export interface Inflow {
  readonly peer: string;
  /** Base units. */
  readonly amount: bigint;
}

/**
 * True when the first payer has paid for the first deployment too: a few coins sent to somebody else's new account, to be its
 * first funder, are not enough.
 * @param inflows before the first deployment, oldest first
 */
export const hasPaidFor = (funder: string, inflows: readonly Inflow[]): boolean => {
  if (inflows[0]?.peer !== funder) return false;
  const all = inflows.reduce((sum, { amount }) => sum + amount, 0n);
  const own = inflows.reduce((sum, { peer, amount }) => (peer === funder ? sum + amount : sum), 0n);
  return own * 100n >= all * FUNDED_PERCENT_MIN;
};
