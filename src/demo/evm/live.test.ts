import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anvil, startAnvil } from "./anvil.ts";
import { CHARACTERS } from "./characters.ts";
import { catchUp, heartbeat } from "./live.ts";

const LONG_AGO = 1_700_006_400;
const NOW = LONG_AGO + 86_400;

let anvil: Anvil;
beforeAll(async () => {
  const genesis = { [CHARACTERS.nina.address]: 10n ** 18n };
  anvil = await startAnvil({ chain_id: 31_337, timestamp: LONG_AGO, genesis, accounts: 20 });
});
afterAll(() => anvil?.stop());

const newest = async (): Promise<{ number: number; time: number }> => {
  // A header has number and timestamp.
  const block = (await anvil.rpc.call("eth_getBlockByNumber", "latest", false)) as {
    number: string;
    timestamp: string;
  };
  return { number: Number(block.number), time: Number(block.timestamp) };
};

test("a caught-up chain produces heartbeats in real time until its stop", async () => {
  await catchUp(anvil.rpc, NOW);
  const end = new AbortController();
  const beating = heartbeat({ rpc: anvil.rpc, interval_ms: 5, signal: end.signal });
  while ((await newest()).number < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  end.abort();
  await beating;
  const { number, time } = await newest();
  expect(time).toBeGreaterThanOrEqual(NOW);
  expect(time).toBeLessThan(NOW + 60);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect((await newest()).number).toBe(number);
  const paid = await anvil.rpc.call("eth_getBalance", CHARACTERS.exchange.address, "latest");
  // A thousandth of an ether per beat.
  expect(BigInt(String(paid))).toBe(BigInt(number) * 10n ** 15n);
});

test("a heartbeat that is stopped before it begins sends nothing", async () => {
  const before = await newest();
  await heartbeat({ rpc: anvil.rpc, interval_ms: 1, signal: AbortSignal.abort() });
  expect(await newest()).toEqual(before);
});
