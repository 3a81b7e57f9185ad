import { toHex } from "../../../../lib/bytes.ts";
import { topicOf } from "../../../../protocols/protocol.ts";
import { AGGREGATORS } from "./aggregators.ts";
import { BRIDGES } from "./bridges.ts";
import { CLAIMS } from "./claims.ts";
import { EXCHANGE } from "./exchange.ts";
import { FAMILIES } from "./families.ts";
import { LENDING } from "./lending.ts";
import { MARKS } from "./marks.ts";
import { OTHERS } from "./others.ts";
import { PEOPLE } from "./people.ts";
import { ROLLUPS } from "./rollups.ts";
import { ROUTERS } from "./routers.ts";
import { STAKING } from "./staking.ts";
import { VAULTS } from "./vaults.ts";
import { indexOf, type WordGroup, type Words } from "./word.ts";

const GROUPS = [
  ...[...LENDING, ...VAULTS, ...EXCHANGE, ...ROUTERS, ...AGGREGATORS, ...BRIDGES, ...ROLLUPS],
  ...[...STAKING, ...CLAIMS, ...OTHERS, ...PEOPLE],
];

let words: Words | null = null;

/** Every word, made when it is first asked for: hashing thousands of signatures takes a moment. */
export const knownWords = (): Words => {
  words ??= {
    ...indexOf(GROUPS, FAMILIES),
    marks: new Map(MARKS.flatMap(([protocol, events]) => events.map((event) => [toHex(topicOf(event)), protocol]))),
  };
  return words;
};

/** All groups of words that are written down one by one. */
export const wordGroups = (): readonly WordGroup[] => GROUPS;
