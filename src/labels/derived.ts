/**
 * Names under which the index writes labels that it derives from what it saw, one per rule. Nobody vouches for them: they may
 * accuse or stop a trace, and relieve nobody.
 */
export const DERIVED = {
  pools: "pools",
  deposits: "deposits",
  sandwiches: "sandwiches",
  siblings: "siblings",
  sibling_deposits: "sibling_deposits",
  clones: "clones",
  families: "families",
} as const;

export const DERIVED_SOURCES: readonly string[] = Object.values(DERIVED);

/** How sure a label is that follows from a rule, 0..1. */
export const DERIVED_CONFIDENCE = {
  deposits: 0.75,
  sandwiches: 0.7,
  siblings: 0.65,
  sibling_deposits: 0.6,
  clones: 0.6,
  families: 0.55,
} as const;

/** True for a label that a rule of the index has given, and of which its factory does not say so itself, as pools are. */
export const isGuessed = (source: string): boolean => source !== DERIVED.pools && DERIVED_SOURCES.includes(source);

/** Of what such a source calls an address no rule is kept from saying something else. */
export const GUESSED_SOURCES: readonly string[] = DERIVED_SOURCES.filter(isGuessed);
