import type { ActSignaturesOf, FieldPosition, IssueNeed } from "../../../../knowledge/protocol_row.ts";
import type { HeadlineType } from "../types.ts";

/** Signatures that mean the same act. */
export type WordGroup = ActSignaturesOf<HeadlineType>;

export interface Word {
  readonly signature: string;
  readonly type: HeadlineType;
  readonly protocol: string | null;
  readonly actor: FieldPosition | null;
  readonly needs: IssueNeed | null;
  /** Counts only at a contract of its protocol. */
  readonly is_own: boolean;
  /** 3: of one protocol; 2: a signature written down here; 1: a family of signatures, or a minor one. */
  readonly weight: 1 | 2 | 3;
  readonly is_family: boolean;
}

const PARAMETERS_TELLING = 4;

/** Any contract may have a function with few plain parameters: it identifies the act, not the protocol. */
const isTelling = (signature: string): boolean =>
  signature.split(",").length >= PARAMETERS_TELLING || signature.lastIndexOf("(") > signature.indexOf("(");

const anybodys = (word: Word): Word => ({ ...word, protocol: null, weight: word.weight === 3 ? 2 : word.weight });

const weightOf = ({ protocol, is_minor }: WordGroup): Word["weight"] => {
  if (is_minor === true) return 1;
  return protocol === null ? 2 : 3;
};

export const eventWord = (group: WordGroup, signature: string): Word => {
  const { type, protocol, actor = null, needs = null, is_own = false } = group;
  return { signature, type, protocol, actor, needs, is_own, weight: weightOf(group), is_family: false };
};

export const functionWord = (group: WordGroup, signature: string): Word => {
  const word = eventWord(group, signature);
  return group.protocol === null || group.is_known === true || group.is_own === true || isTelling(signature)
    ? word
    : anybodys(word);
};

/** One name with many parameter lists: contracts pass different parameters for the same act. */
export interface WordFamily {
  readonly type: HeadlineType;
  /** Names, separated by spaces. */
  readonly events?: string;
  readonly functions?: string;
}

export const familyWord = (signature: string, type: HeadlineType): Word => ({
  ...{ signature, type, protocol: null, actor: null, needs: null, is_own: false, weight: 1, is_family: true },
});
