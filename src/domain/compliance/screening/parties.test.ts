import { expect, test } from "vitest";
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { TransactionMovement } from "../../transaction/decoding/movements.ts";
import { partiesOf } from "./parties.ts";

const [USER, OTHER, ROUTER, POOL, WRAPPED, SERVICE] = ["01", "02", "03", "04", "05", "06"].map((byte) =>
  hex(byte.repeat(20)),
) as [Hex, Hex, Hex, Hex, Hex, Hex];
const [USDC, DAI] = [hex("0a".repeat(20)), hex("0b".repeat(20))];
const NATIVE = hex("");
const VOID = hex("");

const move = (token: Hex, source: Hex, destination: Hex, amount = 10n): TransactionMovement => ({
  ...{ kind: "erc20", token, token_id: null, source, destination, amount, log_index: null },
});

const of = (movements: readonly TransactionMovement[], asset: Hex, direction: "in" | "out" = "in") => {
  const { transfers, own, principals, intermediaries } = partiesOf(movements, { asset, direction }, WRAPPED);
  expect(own.every((one) => transfers.includes(one))).toBe(true);
  return { at: own.map(({ index }) => index), principals, intermediaries };
};

test("the sender of a plain transfer is its principal, also through a contract that passes it on", () => {
  expect(of([move(USDC, USER, SERVICE)], USDC)).toEqual({ at: [0], principals: [USER], intermediaries: [] });
  const passed = [move(USDC, USER, ROUTER), move(USDC, ROUTER, SERVICE)];
  expect(of(passed, USDC)).toEqual({ at: [1], principals: [USER], intermediaries: [ROUTER] });
});

test("a swap on the way into the deposit leads to the owner of the other asset", () => {
  const swapped = [move(DAI, USER, POOL), move(USDC, POOL, SERVICE)];
  expect(of(swapped, USDC)).toEqual({ at: [1], principals: [USER], intermediaries: [POOL] });
  // The other way round: a withdrawal that a pool exchanges for its receiver.
  const sent = [move(USDC, SERVICE, POOL), move(DAI, POOL, OTHER)];
  expect(of(sent, USDC, "out")).toEqual({ at: [0], principals: [OTHER], intermediaries: [POOL] });
});

test("the contract of the wrapped coin owns nothing", () => {
  // The router unwraps the coins of the user.
  const unwrapped = [
    move(WRAPPED, USER, ROUTER),
    move(WRAPPED, ROUTER, VOID),
    move(NATIVE, WRAPPED, ROUTER),
    move(NATIVE, ROUTER, SERVICE),
  ];
  expect(of(unwrapped, NATIVE)).toEqual({ at: [3], principals: [USER], intermediaries: [ROUTER] });
});

test("transfers of others in a batch do not belong to it", () => {
  const batch = [move(USDC, USER, SERVICE), move(DAI, OTHER, POOL)];
  expect(of(batch, USDC)).toEqual({ at: [0], principals: [USER], intermediaries: [] });
});

test("new coins have no sender, and an asset that does not move has no transfers", () => {
  expect(of([move(USDC, VOID, SERVICE)], USDC)).toEqual({ at: [0], principals: [], intermediaries: [] });
  expect(of([move(DAI, USER, SERVICE)], USDC)).toEqual({ at: [], principals: [], intermediaries: [] });
  expect(of([move(USDC, SERVICE, SERVICE)], USDC).at).toEqual([]);
});
