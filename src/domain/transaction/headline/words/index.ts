import { ACT_SIGNATURES, PROTOCOL_MARKS } from "../../../../knowledge/acts.gen.ts";
import { type Bytes, equalBytes, type Hex, toHex } from "../../../../lib/bytes.ts";
import { topicOf } from "../../../../protocols/protocol.ts";
import { FAMILIES } from "./families.ts";
import { EVENT_HASHES, FUNCTION_HASHES } from "./hashes.gen.ts";
import { EVENT_PARAMETERS, FUNCTION_PARAMETERS } from "./parameters.ts";
import { familyNames, HEAD_BYTES, Vocabulary, type VocabularySource } from "./vocabulary.ts";
import { eventWord, functionWord, type Word, type WordGroup } from "./word.ts";

/** Signatures that are listed one by one, as `knowledge/protocols` and `knowledge/acts` have them. */
export const WORD_GROUPS: readonly WordGroup[] = ACT_SIGNATURES;

export const EVENTS: VocabularySource = {
  written: WORD_GROUPS.flatMap((group) => (group.events ?? []).map((event) => eventWord(group, event))),
  names: familyNames(FAMILIES, ({ events }) => events),
  parameters: EVENT_PARAMETERS,
};

export const FUNCTIONS: VocabularySource = {
  written: WORD_GROUPS.flatMap((group) => (group.functions ?? []).map((name) => functionWord(group, name))),
  names: familyNames(FAMILIES, ({ functions }) => functions),
  parameters: FUNCTION_PARAMETERS,
};

interface VocabularyCache {
  readonly events: Vocabulary;
  readonly functions: Vocabulary;
  /** By topic, what was met. */
  readonly met: Map<Hex, readonly Word[]>;
  /** Protocol by the first topic of an event that only it has. */
  readonly marks: ReadonlyMap<Hex, string>;
}

let known: VocabularyCache | null = null;

const knownWords = (): VocabularyCache => {
  known ??= {
    events: new Vocabulary(EVENTS, EVENT_HASHES),
    functions: new Vocabulary(FUNCTIONS, FUNCTION_HASHES),
    met: new Map(),
    marks: new Map(
      PROTOCOL_MARKS.flatMap(([protocol, events]) => events.map((event) => [toHex(topicOf(event)), protocol])),
    ),
  };
  return known;
};

const NO_WORDS: readonly Word[] = [];

/** Words of an event, by its first topic. */
export const eventWords = (topic: Bytes): readonly Word[] => {
  const { events, met } = knownWords();
  const key = toHex(topic);
  const before = met.get(key);
  if (before !== undefined) return before;
  // Four bytes are no hash: what they find is hashed once.
  const found = events.find(headOf(key), (signature) => equalBytes(topicOf(signature), topic));
  if (found.length > 0) met.set(key, found);
  return found;
};

const headOf = (hash: Hex): number => Number.parseInt(hash.slice(0, 2 * HEAD_BYTES), 16);

/** Words of a function, by its selector. */
export const functionWords = (selector: Hex): readonly Word[] =>
  selector.length === 2 * HEAD_BYTES ? knownWords().functions.find(headOf(selector)) : NO_WORDS;

/** Signature of a function that is listed as a word, or null. */
export const writtenFunction = (selector: Hex): string | null =>
  functionWords(selector).find(({ is_family }) => !is_family)?.signature ?? null;

/** The only protocol that emits an event, by the event's first topic. */
export const protocolOfEvent = (topic: Hex): string | null => knownWords().marks.get(topic) ?? null;
