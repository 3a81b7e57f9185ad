import { type Hex, toHex } from "../../../../lib/bytes.ts";
import { topicOf } from "../../../../protocols/protocol.ts";
import type { HeadlineType } from "../types.ts";

/** Where an event names whose act it was. */
export type ActorPlace = `t${1 | 2 | 3}` | `w${number}`;

/** Signatures that say the same. */
export interface WordGroup {
  readonly type: HeadlineType;
  /** Null where contracts of several protocols use the word. `Name` or `Name vN`. */
  readonly protocol: string | null;
  readonly events?: readonly string[];
  readonly functions?: readonly string[];
  readonly actor?: ActorPlace;
  /** Its functions are the protocol's own, however short. */
  readonly is_known?: boolean;
  /** Only where a token is made for the actor, or one that it gives is destroyed: contracts with one word for several acts. */
  readonly needs?: "minted" | "burnt";
  /** The word is told beside a more telling one of the same transaction. */
  readonly is_minor?: boolean;
}

export interface Word {
  readonly signature: string;
  readonly type: HeadlineType;
  readonly protocol: string | null;
  readonly actor: ActorPlace | null;
  readonly needs: "minted" | "burnt" | null;
  /** 3: of one protocol; 2: a signature written down here; 1: a family of signatures, or a minor one. */
  readonly weight: 1 | 2 | 3;
  readonly is_family: boolean;
}

const PARAMETERS_TELLING = 4;

/** A function with few plain parameters may be anybody's: it says what was meant, not by whom. */
const isTelling = (signature: string): boolean =>
  signature.split(",").length >= PARAMETERS_TELLING || signature.lastIndexOf("(") > signature.indexOf("(");

const anybodys = (word: Word): Word => ({ ...word, protocol: null, weight: word.weight === 3 ? 2 : word.weight });

const weightOf = ({ protocol, is_minor }: WordGroup): Word["weight"] => {
  if (is_minor === true) return 1;
  return protocol === null ? 2 : 3;
};

/** Words written down one by one win over families of names. */
const add = (into: Map<Hex, readonly Word[]>, key: Hex, word: Word): void => {
  const known = into.get(key) ?? [];
  if (!known.some(({ is_family }) => !is_family)) into.set(key, [word]);
  else if (!word.is_family) into.set(key, [...known, word]);
};

export interface Words {
  /** By the first topic. */
  readonly events: ReadonlyMap<Hex, readonly Word[]>;
  /** By selector. */
  readonly functions: ReadonlyMap<Hex, readonly Word[]>;
  /** Protocol by the first topic of an event that only it has. */
  readonly marks: ReadonlyMap<Hex, string>;
}

/** One name with many lists of parameters: contracts that mean the same pass it differently. */
export interface WordFamily {
  readonly type: HeadlineType;
  /** Names, separated by spaces. */
  readonly events?: string;
  readonly functions?: string;
}

const ATOMS = ["address", "uint256"] as const;

const listsOf = (length: number): readonly string[] =>
  length === 0
    ? [""]
    : listsOf(length - 1).flatMap((head) => ATOMS.map((atom) => (head === "" ? atom : `${head},${atom}`)));

const EVENT_PARAMETERS: readonly string[] = [
  ...[0, 1, 2, 3, 4].flatMap(listsOf),
  ...["address,uint256,bool", "address,uint256,bytes", "address,uint256,uint256,bool", "address,bytes32,uint256"],
  ...["uint256,address,uint256,uint256,uint256", "address,uint256,uint256,uint256,uint256", "address,uint128"],
  ...["address,address,uint256,uint256,uint256", "address,address,address,uint256,uint256", "address,uint256,uint128"],
  ...["address,uint256[]", "address,uint256[],uint256[]", "address,address[],uint256[]", "address,address,uint128"],
  ...["address,uint64,uint256", "address,uint32,uint256", "address,uint256,uint64", "address,uint256,uint32"],
  ...[
    "bytes32,address,uint256",
    "bytes32,address,address,uint256",
    "address,address,bytes32,uint256",
    "address,uint96",
  ],
  ...["uint256,uint256,address,uint256", "address,address,uint256,bytes", "address,uint112", "address,uint160"],
  ...["address,uint256,uint40", "address,uint256,uint8", "uint256,address,address,uint256,uint256", "uint128"],
];

const FUNCTION_PARAMETERS: readonly string[] = [
  ...[0, 1, 2, 3].flatMap(listsOf),
  ...["address,address,uint256,uint256", "address,uint256,uint256,uint256", "uint256,uint256,uint256,uint256"],
  ...["uint256[]", "address[]", "address,uint256[]", "address,address[]", "address[],uint256[]", "bytes32[]", "bool"],
  ...[
    "uint256,address,uint256,bytes32[]",
    "address,uint256,bytes32[]",
    "uint256,uint256,bytes32[]",
    "uint256[],address",
  ],
  ...["uint256,bytes32[]", "address,address,uint256,bytes32[]", "uint256,address,uint256,bytes32[],bytes"],
  ...[
    "address,uint256,uint256,bytes32[]",
    "address,uint256,bytes",
    "uint256,bytes",
    "address,bytes",
    "bytes",
    "int128",
  ],
  ...[
    "address,string",
    "string",
    "uint256,string",
    "address,address[],uint256[]",
    "address[],address[]",
    "uint256,bool",
    "address,bool",
    "uint256,uint256,bool",
  ],
  ...["address,uint256,bool", "address,address,bool", "uint256,address,bool", "uint256,bytes32[],address", "uint128"],
  ...["address,uint256,uint256,bytes32[],bytes", "bytes32,address,uint256,bytes32[]", "address,bytes32[],uint256"],
  ...["uint256,address[]", "uint256,uint256[]", "uint256[],uint256[]", "address,uint256,address,uint256", "bytes32"],
  ...["address,uint128", "uint96", "address,uint96", "uint128,address", "uint256,uint128", "address,uint256,uint64"],
  ...["address,address[],address", "address[],bool", "uint256,address[][]", "address[],address[][],uint256"],
];

const familyWord = (signature: string, type: HeadlineType): Word => ({
  ...{ signature, type, protocol: null, actor: null, needs: null, weight: 1, is_family: true },
});

const namesIn = (list = ""): readonly string[] => list.split(" ").filter((name) => name !== "");

const addFamily = (
  into: { events: Map<Hex, readonly Word[]>; functions: Map<Hex, readonly Word[]> },
  family: WordFamily,
): void => {
  for (const name of namesIn(family.events))
    for (const list of EVENT_PARAMETERS) {
      const signature = `${name}(${list})`;
      add(into.events, toHex(topicOf(signature)), familyWord(signature, family.type));
    }
  for (const name of namesIn(family.functions))
    for (const list of FUNCTION_PARAMETERS) {
      const signature = `${name}(${list})`;
      add(into.functions, toHex(topicOf(signature).subarray(0, 4)), familyWord(signature, family.type));
    }
};

/** Topics and selectors of all words. */
export const indexOf = (
  groups: readonly WordGroup[],
  families: readonly WordFamily[],
): Pick<Words, "events" | "functions"> => {
  const events = new Map<Hex, readonly Word[]>();
  const functions = new Map<Hex, readonly Word[]>();
  for (const group of groups) {
    const { type, protocol, actor = null, needs = null } = group;
    const weight = weightOf(group);
    const word = (signature: string): Word => ({ signature, type, protocol, actor, needs, weight, is_family: false });
    for (const event of group.events ?? []) add(events, toHex(topicOf(event)), word(event));
    for (const name of group.functions ?? []) {
      const own = protocol === null || group.is_known === true || isTelling(name) ? word(name) : anybodys(word(name));
      add(functions, toHex(topicOf(name).subarray(0, 4)), own);
    }
  }
  for (const family of families) addFamily({ events, functions }, family);
  return { events, functions };
};
