/** Whose the trades and the liquidity of pools are: their events name the contract that asked, which is nobody. */
import type { Action, ActionType } from "../actions/action.ts";
import { type Case, readingOf } from "./case.ts";
import { evidenceOf } from "./evidence.ts";
import { fullName, type Headline } from "./types.ts";

const OF_POOLS: readonly ActionType[] = ["swap", "add_liquidity", "remove_liquidity", "collect_fees"];

/** Somebody else than the sender acted; of several whose orders were filled together it cannot be told whose a trade is. */
const actorOf = (given: Case, headline: Headline | null): Action["actor"] | null => {
  if (headline === null || headline.actor === given.sender) return null;
  const signed = evidenceOf(readingOf(given)).flatMap(({ type, actor }) =>
    type === "swap" && actor !== null ? [actor] : [],
  );
  return new Set(signed).size > 1 && given.recipient !== null ? given.recipient : headline.actor;
};

/** Only the layout of its events told it: any fork has the same. */
const isLayout = (protocol: string | null): boolean => protocol === null || protocol.endsWith(" or a fork");

/**
 * Actions of pools, which are the sender's where nothing else is known, as those of whoever acted; and under the name of the pool
 * itself where only the layout of its events is known. `given.actions` are the same actions.
 */
export const attributed = (given: Case, actions: readonly Action[], headline: Headline | null): readonly Action[] => {
  const actor = actorOf(given, headline);
  return actions.map((action) => {
    if (!OF_POOLS.includes(action.type)) return action;
    const name = action.contract === null ? null : given.name(action.contract);
    return {
      ...action,
      actor: actor !== null && action.actor === given.sender ? actor : action.actor,
      protocol: name !== null && isLayout(action.protocol) ? fullName(name) : action.protocol,
    };
  });
};
