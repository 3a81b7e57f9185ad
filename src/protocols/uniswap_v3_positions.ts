import { INTERFACES } from "../knowledge/names.gen.ts";
import { EMPTY } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type PositionFact, type Protocol } from "./protocol.ts";

const SOURCE = "v3-periphery NonfungiblePositionManager.sol";

const named = { fact: "position", account: EMPTY, asset: null } as const;

const change = (kind: "increase" | "decrease"): Protocol["decode"] => {
  return ({ topics, data }) => {
    const id = topics[1];
    if (topics.length !== 2 || data.length !== 3 * WORD_BYTES || !id) return NOTHING;
    const amounts = { liquidity: uintAt(data, 0), amount0: uintAt(data, 1), amount1: uintAt(data, 2) };
    return [{ ...named, kind, position_id: uintAt(id, 0), ...amounts } satisfies PositionFact];
  };
};

export const v3IncreaseLiquidity: Protocol = {
  name: "position_increase",
  source: SOURCE,
  event: INTERFACES.uniswap_v3.IncreaseLiquidity,
  decode: change("increase"),
};

export const v3DecreaseLiquidity: Protocol = {
  name: "position_decrease",
  source: SOURCE,
  event: INTERFACES.uniswap_v3.DecreaseLiquidity,
  decode: change("decrease"),
};

export const v3CollectPosition: Protocol = {
  name: "position_collect",
  source: SOURCE,
  event: INTERFACES.uniswap_v3.Collect,
  decode({ topics, data }) {
    const id = topics[1];
    if (topics.length !== 2 || data.length !== 3 * WORD_BYTES || !id) return NOTHING;
    const amounts = { liquidity: 0n, amount0: uintAt(data, 1), amount1: uintAt(data, 2) };
    return [{ ...named, kind: "collect", position_id: uintAt(id, 0), ...amounts }];
  },
};
