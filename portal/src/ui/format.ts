/** Numbers and times for people, always with the exact value in a title. */

const EIGHT = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 8 });
const FIVE = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5 });
const CENTS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const TWO = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A real minus sign is as wide as a digit. */
const minus = (text: string): string => text.replace(/^-/, "−");

/** Eight significant digits; very small numbers use a power of ten. */
export const amountText = (value: number): string => {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-6 || size >= 1e15)) return minus(value.toExponential(3).replace("e", " e"));
  return minus(EIGHT.format(value));
};

/** Dollars: cents while eight digits reach that far, five digits of a price below one. */
export const usdText = (value: number): string => {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === 0) return "$0.00";
  if (size < 1) return `${sign}$${size < 1e-6 ? size.toExponential(3).replace("e", " e") : FIVE.format(size)}`;
  return `${sign}$${size < 1e6 ? CENTS.format(size) : size < 1e15 ? EIGHT.format(size) : size.toExponential(3)}`;
};

/** Two decimals; a smaller amount is not shown as zero. */
export const percentText = (value: number): string => {
  if (value !== 0 && Math.abs(value) < 0.01) return value < 0 ? "> −0.01 %" : "< 0.01 %";
  return `${minus(TWO.format(value))} %`;
};

export const countText = (value: number): string =>
  Number.isInteger(value) ? minus(WHOLE.format(value)) : amountText(value);

/** `2026-09-14 17:00` of ISO 8601 in UTC; other texts stay. */
export const timeText = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace("T", " ") : iso;

/** Words of a field's name: `total_pnl_usd` -> `Total pnl usd`. */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll(/[._]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const creditsText = (credits: number): string => `${WHOLE.format(credits)} credit${credits === 1 ? "" : "s"}`;

/** Age in the largest whole unit: `3 h`. */
export const ageOf = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
};
