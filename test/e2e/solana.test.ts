import { expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { solana } from "../../src/chains/networks/solana.ts";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { EnabledNetwork } from "../../src/main.ts";
import { drawn } from "../solana/drawn.ts";
import { makeTraffic } from "../solana/traffic.ts";
import { caughtUp, openStage } from "./stage.ts";

/** Transactions of the generated mix. */
const ROUNDS = 80;
/** Beyond the last transaction, so that all of them are final. */
const QUIET_SLOTS = 40;

test("on a chain of real Solana programs every balance that is indexed is the node's, and tools answer", async () => {
  const traffic = await makeTraffic(drawn(11), ROUNDS);
  const { facade } = traffic;
  facade.seal(QUIET_SLOTS);
  await facade.start();
  const network = { ...solana, caip2: `solana:${facade.genesis.slice(0, 32)}` };
  const enabled: EnabledNetwork = {
    network,
    rpc: [facade.url],
    from_block: 0,
    to_block: null,
    poll_ms: 20,
    venues: [],
    openings: "skip",
  };
  const stage = await openStage({ networks: [enabled] });
  const chain = await openChain(network, { rpc: [facade.url], log: silentLog }, AbortSignal.timeout(170_000));
  try {
    await caughtUp(stage.service);
    const { facts } = stage.service.facts;
    const snapshot = await facts.snapshot("solana", null);
    const people = traffic.people.map(({ address }) => parseAddress(address) ?? "");
    const mints = traffic.mints.map((mint) => parseAddress(mint) ?? "");
    const holders = traffic.addresses.map((address) => parseAddress(address) ?? "");
    const pairs = [
      ...holders.map((holder) => ({ token: "", holder })),
      ...people.flatMap((holder) => mints.map((token) => ({ token, holder }))),
    ];
    const signal = AbortSignal.timeout(170_000);
    const native = await chain.nativeBalances(holders, signal);
    const tokens = await chain.tokenBalances(pairs.slice(holders.length), signal);
    expect(await facts.balanceOf(snapshot, pairs)).toEqual([...native, ...tokens]);
  } finally {
    await chain.close();
    await stage.close();
    await facade.close();
  }
});
