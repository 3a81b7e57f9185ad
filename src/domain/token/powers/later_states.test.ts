import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { SimulatedBlock } from "../../../chains/chain.ts";
import { EMPTY, type Hex, hex } from "../../../lib/bytes.ts";
import { playLater } from "./later_states.ts";
import type { PreparedStage } from "./stage.ts";
import type { TrialState } from "./trials.ts";

const account = (byte: string): Hex => hex(byte.repeat(20));
const [TOKEN, OWNER, ZERO, VICTIM] = ["aa", "0e", "00", "11"].map(account) as [Hex, Hex, Hex, Hex];
const NOW = 1_800_000_000;
const GAS_PRICE = 7n;
const BEFORE: TrialState = {
  ...{ supply: 1n, caller: 0n, victim: 2_000n, other: 2_000n, friend: 0n, payee: 0n, token: 0n, owner: null },
  ...{ allowance: 0n, native: 0n, is_replaced: false, victim_transfer: 0, other_transfer: 0, sale: 0, purchase: 0 },
};

test("calls are of an account without code that pays for much gas, and the effects are measured over 400 days", async () => {
  const seen: SimulatedBlock[] = [];
  const chain = fixedChain({
    can: { overrides: true, simulations: true, simulated_blocks_max: 400 },
    simulate: (blocks) => {
      seen.push(...blocks);
      return blocks.map(({ calls }) => calls.map(() => ({ ok: false, data: EMPTY, gas_used: 5 })));
    },
  });
  const conditions = { gas_price: GAS_PRICE, producer: null };
  const state = { chain, block: { number: 100, time: NOW }, signal: new AbortController().signal, conditions };
  const stage = {
    ...{ token: TOKEN, victim: VICTIM, other: account("22"), friend: account("33"), receiver: account("44") },
    ...{ marker: account("55"), payee: account("66"), simulator: account("77"), buyer: account("88"), quote: ZERO },
    ...{ sale: "" as const, purchase: "" as const },
  };
  const prepared: PreparedStage = { ground: { state, probe: account("99"), extra: [] }, stage, before: BEFORE };
  const acts = ["01", "02", "03"].map((data) => ({ to: TOKEN, data: hex(data) }));
  const { accepted, moments, gas } = await playLater(prepared, { caller: OWNER, acts, sequels: [] });
  expect(accepted).toEqual([false, false, false]);
  // Three calls, three measurements, and two transfers with the balances of their receivers.
  expect(gas).toBe((3 + 3 + 4) * 5);
  // Nothing was measured, so no state is known.
  expect(moments.map(({ blocks, days, state: after }) => [blocks, days, after])).toEqual([
    [1, 0, null],
    [300, 0, null],
    [301, 400, null],
    [301, 400, null],
  ]);
  // One call a block, the last one in the eighth.
  const called = seen.slice(0, 8).map(({ calls }) => calls.map(({ data }) => data).join());
  expect(called).toEqual(["", "", "", "", "", "01", "02", "03"]);
  expect(seen[7]?.calls[0]).toMatchObject({ from: OWNER, to: TOKEN, gas_price: GAS_PRICE, gas: 12_000_000 });
  const codeOf = (block: SimulatedBlock | undefined, who: Hex) =>
    block?.overrides?.find(({ address }) => address === who)?.code;
  expect(seen.slice(0, 8).map((block) => codeOf(block, OWNER))).toEqual(Array.from({ length: 8 }, () => undefined));
  // The probe needs code at its accounts; at last the holders have none.
  expect(codeOf(seen[8], OWNER)).toMatch(/^[0-9a-f]{100,}$/);
  expect(codeOf(seen.at(-1), VICTIM)).toBe("");
  expect(seen.map(({ number }) => number)).toEqual([101, 102, 103, 104, 105, 106, 107, 108, 109, 408, 409, 410]);
  const days = seen.map(({ time }) => Math.floor((time - NOW) / 86_400));
  expect(days).toEqual([...Array.from({ length: 10 }, () => 0), 400, 400]);
});
