/** Phrases that the project's texts do not use, with the words to write instead. */
export interface BannedPhrase {
  readonly name: string;
  readonly pattern: RegExp;
  /** Words to write instead. */
  readonly write: string;
}

const NOUN_CLAUSE_START = /(?:^|[.!?:;]\s+|\*\s+)(?:Who|What|Whoever|Whatever)\s(?![^.!?]*\?)/g;

const BANNED_PHRASES: readonly BannedPhrase[] = [
  { name: "somebody", pattern: /\b(?:some|no|every|any)body\b/gi, write: "the caller, a user, no account" },
  { name: "whoever", pattern: /\bwho(?:so)?ever\b/gi, write: "a named actor" },
  { name: "those who", pattern: /\b(?:those|one|ones|all|he|they|him|them) who\b/gi, write: "a named actor" },
  { name: "what-clause as a subject", pattern: NOUN_CLAUSE_START, write: "a noun, then the verb" },
  {
    name: "stands",
    pattern: /\b(?:stand|stands|standing|stood)\b(?! for\b| out\b| by\b| alone\b| approval| allowance| instruction)/gi,
    write: "is, is written, appears",
  },
  {
    name: "lies in",
    pattern:
      /\b(?:lie|lies|lay|lain|lying) (?:in|beside|at|on|under|there|between|behind|before|outside|below|above|within|next)\b/gi,
    write: "is in, is next to",
  },
  { name: "told", pattern: /\btold\b|\btells? (?:of|nothing|neither|no|it|them)\b/gi, write: "reported, stated, says" },
  {
    name: "is said",
    pattern: /\b(?:is|are|was|were|be|been|being|not) (?:said|believed|looked|asked|had|spoken)\b/gi,
    write: "an active verb with its actor",
  },
  {
    name: "asked about",
    pattern:
      /\basked (?:about|of|for it|once|again|anew|first)\b|\bask(?:s|ed|ing)? (?:the |a |an |its |each |every |one |no |other |another )?(?:node|nodes|engine|store|database|chain|endpoint|endpoints|server|contract|world|worlds)\b/gi,
    write: "query, request, call",
  },
  {
    name: "give back",
    pattern: /\b(?:give|gives|gave|given|giving|take|takes|took|taken|taking)(?: \w+)? back\b/gi,
    write: "refund, return, reverse",
  },
  { name: "believe", pattern: /\b(?:believe|believes|believed|believing|vouch|vouches|vouched)\b/gi, write: "trust" },
  { name: "but for", pattern: /\bbut for\b|\bnothing but\b|\bnone but\b/gi, write: "except, only" },
  {
    name: "anew",
    pattern: /\banew\b|\bthereof\b|\bwhereof\b|\btherein\b|\bhardly ever\b/gi,
    write: "again, of it, rarely",
  },
  {
    name: "is there",
    pattern: /(?<!there )\b(?:are|is|was|were) none\b|\bthere (?:is|are) no such\b/gi,
    write: "does not exist, has no",
  },
  {
    name: "in its place",
    pattern: /\b(?:in|at|from) (?:its|their|another's|one's|somebody's) place\b/gi,
    write: "instead",
  },
  {
    name: "metaphor",
    pattern:
      /\b(?:desk|desks|purse|purses|shelf|shelves|shelved|rehearse|rehearses|rehearsed|rehearsal|tenure|doorkeeper|stall|stalls)\b/gi,
    write: "the term of the field",
  },
  {
    name: "in the way of",
    pattern:
      /\bas well as it can\b|\bas it came\b|\bin the way that\b|\bof what was\b|\bof what is\b|\bto what was\b/gi,
    write: "a noun",
  },
];

/** Where `text` uses a banned phrase. */
export interface PhraseViolation {
  readonly name: string;
  readonly excerpt: string;
}

export const violationsIn = (text: string): readonly PhraseViolation[] =>
  BANNED_PHRASES.flatMap(({ name, pattern, write }) =>
    [...text.matchAll(pattern)].map((found) => ({
      name: `${name} (write: ${write})`,
      excerpt: text.slice(Math.max(0, found.index - 40), found.index + found[0].length + 40).replace(/\s+/g, " "),
    })),
  );
