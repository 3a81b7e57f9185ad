const plain = (_name: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

/** A text that two values share exactly when they say the same: numbers too large for a number are told from texts of digits. */
export const keyOf = (value: unknown): string => JSON.stringify(value, plain);
