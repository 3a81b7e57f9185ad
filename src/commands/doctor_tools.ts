/** How well each tool answers on what the nodes of a network serve. */
import type { Family } from "../chains/chain.ts";
import { NEEDS, type Need, needsOf, usesOf } from "../surfaces/generated_docs/node_requirements.ts";
import type { AnyTool } from "../tools/tool.ts";

export type Level = "full" | "partial" | "off";

export interface ServedTool {
  readonly tool: string;
  readonly level: Level;
  /** Why it is not full; null where it is. */
  readonly reason: string | null;
}

/** True and false as they were seen; null where that could not be found out. */
export type ServedNeeds = Readonly<Record<Need, boolean | null>>;

/**
 * @param served what the nodes of the network together can do; null where none answers
 * @returns the tools of the family, in the order of the list
 */
export const servedTools = (
  tools: readonly Pick<AnyTool, "name" | "families">[],
  family: Family,
  served: ServedNeeds | null,
): readonly ServedTool[] =>
  tools
    .filter(({ families }) => families.includes(family))
    .map(({ name }) => {
      if (served === null) return { tool: name, level: "off", reason: "no node of the network answers" };
      const lacks = needsOf(usesOf(name), family).filter((need) => served[need] !== true);
      if (lacks.length === 0) return { tool: name, level: "full", reason: null };
      return { tool: name, level: "partial", reason: lacks.map((need) => lackOf(need, served[need])).join("; ") };
    });

const lackOf = (need: Need, seen: boolean | null): string =>
  seen === null
    ? `whether the nodes serve ${NEEDS[need].what} is not known`
    : `no ${NEEDS[need].what}: ${NEEDS[need].without}`;
