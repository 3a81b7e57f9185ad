import { accounts } from "./accounts.ts";
import type { Action, Family, Scene } from "./action.ts";
import { exchange } from "./exchange.ts";
import { knownEvents } from "./known_events.ts";
import { nftTrades } from "./nft_trades.ts";
import { programs } from "./programs.ts";
import { delegations, deployments, rights } from "./rights.ts";
import { wraps } from "./wraps.ts";

/** Every family of contracts that is understood. A new one is a file and its line here. */
const FAMILIES: readonly Family[] = [
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

/** What happened, in the order of the logs; what leaves no log comes first. Never throws, whatever the bytes. */
export const actionsOf = (scene: Scene): readonly Action[] =>
  FAMILIES.flatMap((family) => family(scene)).sort((a, b) => (a.log_index ?? -1) - (b.log_index ?? -1));
