import { accounts } from "./accounts.ts";
import type { Action, ActionContext, ActionReader } from "./action.ts";
import { exchange } from "./exchange.ts";
import { knownEvents } from "./known_events.ts";
import { nftTrades } from "./nft_trades.ts";
import { programs } from "./programs.ts";
import { delegations, deployments, rights } from "./rights.ts";
import { wraps } from "./wraps.ts";

/** Every supported family of contracts. A new one is a file and its line here. */
const FAMILIES: readonly ActionReader[] = [
  delegations,
  deployments,
  rights,
  wraps,
  programs,
  exchange,
  knownEvents,
  nftTrades,
  accounts,
];

/** Actions in the order of the logs; those without a log come first. Never throws, whatever the bytes. */
export const actionsOf = (scene: ActionContext): readonly Action[] =>
  FAMILIES.flatMap((family) => family(scene)).sort((a, b) => (a.log_index ?? -1) - (b.log_index ?? -1));
