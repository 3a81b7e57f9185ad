const plain = (_name: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

/** A text that is equal for two values exactly when the values are equal; bigints differ from strings of the same digits. */
export const keyOf = (value: unknown): string => JSON.stringify(value, plain);
