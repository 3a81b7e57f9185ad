/**
 * Names under which the index writes labels that it derives from what it saw. Nobody vouches for them: they may accuse or
 * stop a trace, and relieve nobody.
 */
export const DERIVED = { pools: "pools", deposits: "deposits", sandwiches: "sandwiches" } as const;

export const DERIVED_SOURCES: readonly string[] = Object.values(DERIVED);
