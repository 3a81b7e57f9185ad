/** Compact JSON in the order in which it was built. A bigint (a raw amount) becomes its decimal string. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === "bigint" ? member.toString() : member));

/** JSON with the members of every object in code-unit order: equal values give equal text. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
