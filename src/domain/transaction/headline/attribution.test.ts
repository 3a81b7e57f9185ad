/** Names and actors of pool trades listed beside a headline. */
import { expect, test } from "vitest";
import { bareTransaction } from "../../../../test/activity_scenario.ts";
import { ALICE, BOB, bytes, logOf } from "../../../../test/sample_logs.ts";
import type { EventLog } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { actionsOf } from "../actions/index.ts";
import { movementsOf } from "../decoding/movements.ts";
import { attributed } from "./attribution.ts";
import { endsOf } from "./case.ts";
import { headlineOf } from "./headline.ts";
import type { AssignedLabel } from "./names.ts";
import { protocolAt } from "./names.ts";

const [TOKEN, OTHER, POOL, CAROL] = ["70", "71", "90", "c4"].map((byte) => byte.repeat(20)) as [
  string,
  string,
  string,
  string,
];
const SETTLEMENT = "9008d19f58aabd9ed0d60971565aa8510560ab41";
const TRADE = "Trade(address,address,address,uint256,uint256,uint256,bytes)";

const emitted = (address: string, log: EventLog): EventLog => ({ ...log, address: bytes(address) });
const moved = (token: string, from: string, to: string, amount: number): EventLog =>
  emitted(token, logOf("Transfer(address,address,uint256)", [from, to], [amount]));
const hop = emitted(
  POOL,
  logOf("Swap(address,uint256,uint256,uint256,uint256,address)", [SETTLEMENT, SETTLEMENT], [40, 0, 0, 31]),
);
/** The hop of an order: the sold token goes to the pool, and the bought one comes back. */
const through = [moved(TOKEN, SETTLEMENT, POOL, 40), hop, moved(OTHER, POOL, SETTLEMENT, 31)];

const actionsIn = (logs: readonly EventLog[], labels: Readonly<Record<string, AssignedLabel>> = {}) => {
  const transaction = bareTransaction({
    ...{ value: 0n, sender: bytes(ALICE), recipient: bytes(SETTLEMENT), input: bytes("12345678") },
    logs: logs.map((log, index) => ({ ...log, index })),
  });
  const movements = movementsOf(transaction, { wrapped_native: null });
  const scene = { transaction, movements, wrapped_native: null };
  const actions = actionsOf({ ...scene, approvals: [], authorizations: [], pools: new Map() });
  const given = {
    ...scene,
    ...endsOf(transaction),
    actions,
    name: (at: Hex) => protocolAt("ethereum", at, labels[at] ?? null),
    is_dollar: () => false,
    decimals: () => 18,
    usd: () => null,
  };
  return attributed(given, actions, headlineOf(given))
    .filter(({ type }) => type === "swap")
    .map(({ actor, protocol }) => ({ actor, protocol }));
};

const order = (owner: string): readonly EventLog[] => [
  emitted(SETTLEMENT, logOf(TRADE, [owner], [TOKEN, OTHER, 40, 31, 0, 192, 0])),
  moved(TOKEN, owner, SETTLEMENT, 40),
];

test("a pool trade that fills an order belongs to the order's signer, named by its layout", () => {
  const logs = [...order(BOB), ...through, moved(OTHER, SETTLEMENT, BOB, 31)];
  expect(actionsIn(logs)).toEqual([{ actor: BOB, protocol: "Uniswap v2 or a fork" }]);
});

test("a named pool is listed under its name", () => {
  const label = { entity: "Some Exchange", label: "Some Exchange: v2 pool", tags: ["dex"] };
  const logs = [...order(BOB), ...through, moved(OTHER, SETTLEMENT, BOB, 31)];
  expect(actionsIn(logs, { [POOL]: label })).toEqual([{ actor: BOB, protocol: "Some Exchange v2" }]);
});

test("a pool trade that fills several orders belongs to the settlement contract", () => {
  const logs = [...order(BOB), ...order(CAROL), ...through, moved(OTHER, SETTLEMENT, BOB, 31)];
  expect(actionsIn(logs).map(({ actor }) => actor)).toEqual([SETTLEMENT]);
});

test("a sender's own trade stays the sender's", () => {
  const logs = [moved(TOKEN, ALICE, POOL, 40), hop, moved(OTHER, POOL, ALICE, 31)];
  expect(actionsIn(logs).map(({ actor }) => actor)).toEqual([ALICE]);
});
