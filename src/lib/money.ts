/** Doubles represent integers up to 2^53, and powers of ten up to 10^22, exactly. */
const EXACT_MAX = 2n ** 53n;
const EXACT_DECIMALS_MAX = 22;

/**
 * Divides token amounts. Everything before this function is a bigint in base units.
 * @returns `raw / 10^decimals` as the nearest double.
 */
export const toAmount = (raw: bigint, decimals: number): number => {
  // Dividing two exactly represented integers yields the nearest double (IEEE 754), at a tenth of the cost.
  if (raw <= EXACT_MAX && raw >= -EXACT_MAX && decimals <= EXACT_DECIMALS_MAX) {
    return raw === 0n ? 0 : Number(raw) / 10 ** decimals;
  }
  const negative = raw < 0n;
  const digits = (negative ? -raw : raw).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const value = Number(fraction === "" ? whole : `${whole}.${fraction}`);
  return negative && value !== 0 ? -value : value;
};

const SHARE_DECIMALS = 30;

/**
 * `100 * part / whole` as the nearest double, truncated after 30 decimal places.
 * `whole` is not 0.
 */
export const percentOf = (part: bigint, whole: bigint): number =>
  toAmount((part * 100n * 10n ** BigInt(SHARE_DECIMALS)) / whole, SHARE_DECIMALS);
