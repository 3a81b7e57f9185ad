/**
 * The rule of receipts, where nothing else says what an exchange was: all that came was made for it, so that it stands for
 * what was given; or all that was given was destroyed for what came. Null: neither, or both.
 */
export const receiptsIn = (
  given_destroyed: readonly boolean[],
  received_made: readonly boolean[],
): "made" | "destroyed" | null => {
  if (given_destroyed.length === 0 || received_made.length === 0) return null;
  const [destroyed, made] = [given_destroyed.every(Boolean), received_made.every(Boolean)];
  if (made === destroyed) return null;
  return made ? "made" : "destroyed";
};
