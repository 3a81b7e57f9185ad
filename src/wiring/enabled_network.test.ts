import { expect, test } from "vitest";
import { settings } from "../config/settings.ts";
import { enabledNetwork } from "./enabled_network.ts";

const enabled = (id: string, from_block = 0) => {
  const listed = { [id]: { rpc: ["http://127.0.0.1:9"], index: "on_demand", from_block } };
  const entry = settings.parse({ networks: listed }).networks[id];
  if (entry === undefined) throw new Error("no entry");
  return enabledNetwork(id, entry);
};

test.each(["ethereum", "solana", "tron"])("%s can be read on demand", (id) => {
  expect(enabled(id)).toMatchObject({ index: "on_demand", network: { id } });
});

test("histories of Tron begin with the first block", () => {
  expect(() => enabled("tron", 5)).toThrow(/^networks\.tron: with 'index: on_demand', from_block must be 0;/);
  expect(enabled("solana", 5)).toMatchObject({ from_block: 5 });
});
