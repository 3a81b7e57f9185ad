import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, transfersOf } from "../../../../test/value_rows.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { readPeers } from "./read_peers.ts";

const WALLET = addressOf(0xa1);
const TOKEN = addressOf(0x70c);
/** More than fit into one list of addresses (address_lists.ts). */
const PAID = Array.from({ length: 1_200 }, (_, i) => addressOf(0x5000 + i));
const [EXCHANGE, BRIDGE, CONTRACT] = [7, 1_100, 1_199].map((i) => addressOf(0x5000 + i)) as [Hex, Hex, Hex];
const [DONOR_CONTRACT, STRANGER] = [addressOf(0xd0), addressOf(0x57)];
const HEAD = 102;

const move = (source: Hex, destination: Hex) => ({
  kind: "erc20" as const,
  token: TOKEN,
  source,
  destination,
  amount: 5n,
});
const labelled = (address: Hex, category: string) => ({
  network: "demo",
  address: bytesOf(address),
  source: "tests",
  label: category,
  category,
  entity: "",
  confidence: 1,
  evidence: "",
  written_at: 1,
  valid_from: 0,
  licence: "",
  published_on: "",
});
const created = (address: Hex) => ({
  network: "demo",
  block_number: 100,
  time: dayOf(100),
  address: bytesOf(address),
  tx_index: 0,
  position: 0,
  tx_hash: blockHash(100_000),
  event: "created" as const,
  method: "create" as const,
  creator: bytesOf(addressOf(0xc0)),
  factory: bytesOf(""),
  init_hash: bytesOf(""),
  code_hash: bytesOf(""),
});

let store: TestFacts;
let scope: SnapshotContext;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      contracts: [created(CONTRACT), created(DONOR_CONTRACT)],
      transfers: transfersOf({ block: 101 }, WALLET, [
        ...PAID.map((peer) => move(WALLET, peer)),
        move(DONOR_CONTRACT, WALLET),
      ]),
      labels: [labelled(EXCHANGE, "exchange"), labelled(BRIDGE, "bridge"), labelled(STRANGER, "exchange")],
    },
  );
  const snapshot = await store.facts.snapshot("demo", null);
  scope = { facts: store.facts, chain: fixedChain({}), snapshot, signal: AbortSignal.timeout(30_000) };
});
afterAll(() => store.close());

const peersOf = (paid: readonly Hex[]) =>
  readPeers(scope, WALLET, { all: new Set([...paid, DONOR_CONTRACT]), paid: new Set(paid) });

test("classifies many peers of a wallet like a few", async () => {
  const few = [EXCHANGE, BRIDGE, CONTRACT, PAID[0] ?? ""];
  for (const peers of [await peersOf(PAID), await peersOf(few)]) {
    expect(few.map(peers.kindOf)).toEqual(["exchange", "bridge", "contract", "other"]);
    // Only paid peers must be recognised as contracts.
    expect(peers.kindOf(DONOR_CONTRACT)).toBe("other");
    // Labelled, but no peer of the wallet.
    expect(peers.kindOf(STRANGER)).toBe("other");
  }
  // 1,200 peers, without two labelled ones and a contract: 1,197, of which 100 are read from the node.
  expect((await peersOf(PAID)).warnings[0]?.message).toMatch(/^1097 counterparties/);
  expect((await peersOf(few)).warnings).toEqual([]);
});
