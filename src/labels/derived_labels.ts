/**
 * Names under which the index writes labels that it derives from its own data, one per rule. No publisher confirms
 * them: they may raise a risk or stop a trace (that of a deposit address stops none), and never lower a risk.
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

/** The source of labels that follow from a network's own file. */
export const NETWORK_SOURCE = "network";

/** Sources of labels that the index writes by itself, without an imported list. */
export const INDEXED_LABEL_SOURCES: readonly string[] = [NETWORK_SOURCE, ...DERIVED_SOURCES];

/** Confidence of a label that a rule derives, 0..1. */
export const DERIVED_CONFIDENCE = {
  deposits: 0.75,
  sandwiches: 0.7,
  siblings: 0.65,
  sibling_deposits: 0.6,
  clones: 0.6,
  families: 0.55,
} as const;

/**
 * True for a label that a rule of the index inferred. False for facts that a factory states itself, such as its pools.
 */
export const isGuessed = (source: string): boolean => source !== DERIVED.pools && DERIVED_SOURCES.includes(source);

/** Labels of these sources do not keep a rule from giving an address another one. */
export const GUESSED_SOURCES: readonly string[] = DERIVED_SOURCES.filter(isGuessed);
