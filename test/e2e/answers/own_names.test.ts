import { beforeAll, expect, test } from "vitest";
import { type SharedWorldStage, sharedWorldStage } from "../stage.ts";
import { openTruth, type Truth } from "../truth.ts";

/** alice calls herself alice.eth, and the name leads to her; mallory says alice.eth of himself too, and it does not. */

let stage: SharedWorldStage;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorldStage();
  truth = await openTruth(stage.world);
});

interface Peer {
  readonly address: string;
  readonly label: string | null;
  readonly label_source: string | null;
}

const peersOf = async (tool: string, wallet: string): Promise<ReadonlyMap<string, Peer>> => {
  const { body } = await stage.ask(tool, { address: truth.addressOf(wallet), records_per_page: 100 });
  return new Map(body.data.map(({ peer }: { peer: Peer }) => [peer.address, peer]));
};

test.each(["get_wallet_counterparties", "get_wallet_transactions"])("%s calls alice by her name", async (tool) => {
  const peers = await peersOf(tool, "bob");
  expect(peers.get(truth.addressOf("alice"))).toMatchObject({ label: "alice.eth", label_source: "ens" });
  for (const { address, label, label_source } of peers.values()) {
    if (address !== truth.addressOf("alice")) expect(label).not.toBe("alice.eth");
    expect(label === null, address).toBe(label_source === null);
  }
});

test("holders show own names, and a label of a list goes before one", async () => {
  const { body } = await stage.ask("get_token_holders_traders", { token_address: truth.addressOf("usdc"), limit: 50 });
  const rows: readonly { address: string; address_label: string | null; label_source: string | null }[] = body.holders;
  const alice = rows.find(({ address }) => address === truth.addressOf("alice"));
  expect(alice).toMatchObject({ address_label: "alice.eth", label_source: "ens" });
  expect(rows.filter(({ address_label }) => address_label === "alice.eth")).toHaveLength(1);
  const listed = rows.filter(({ label_source }) => label_source !== null && label_source !== "ens");
  expect(listed.length).toBeGreaterThan(0);
});
