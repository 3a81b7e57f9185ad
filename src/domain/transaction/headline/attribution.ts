/** Actors of pool trades and liquidity: pool events name the calling contract, which is not the actor. */
import type { Action, ActionType } from "../actions/action.ts";
import { type HeadlineCase, readingOf } from "./case.ts";
import { evidenceOf } from "./evidence.ts";
import { fullName, type Headline } from "./types.ts";

const OF_POOLS: readonly ActionType[] = ["swap", "add_liquidity", "remove_liquidity", "collect_fees"];

/** The actor other than the sender. With several orders filled together, a trade has no single owner. */
const actorOf = (given: HeadlineCase, headline: Headline | null): Action["actor"] | null => {
  if (headline === null || headline.actor === given.sender) return null;
  const signed = evidenceOf(readingOf(given)).flatMap(({ type, actor }) =>
    type === "swap" && actor !== null ? [actor] : [],
  );
  return new Set(signed).size > 1 && given.recipient !== null ? given.recipient : headline.actor;
};

/** Known only by the layout of its events, which any fork shares. */
const isLayout = (protocol: string | null): boolean => protocol === null || protocol.endsWith(" or a fork");

/**
 * Attributes pool actions, by default the sender's, to the actor of the headline, and names them after the pool when
 * only the layout of its events is known. `given.actions` are the same actions.
 */
export const attributed = (
  given: HeadlineCase,
  actions: readonly Action[],
  headline: Headline | null,
): readonly Action[] => {
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
