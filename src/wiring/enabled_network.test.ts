import { expect, test } from "vitest";
import { settings } from "../config/settings.ts";
import { enabledNetwork } from "./enabled_network.ts";

const enabled = (id: string) => {
  const entry = settings.parse({ networks: { [id]: { rpc: ["http://127.0.0.1:9"], index: "on_demand" } } }).networks[
    id
  ];
  if (entry === undefined) throw new Error("no entry");
  return enabledNetwork(id, entry);
};

test.each(["ethereum", "solana"])("%s can be read on demand", (id) => {
  expect(enabled(id)).toMatchObject({ index: "on_demand", network: { id } });
});

test("nodes of Tron know no past of an address", () => {
  expect(() => enabled("tron")).toThrow(/^networks\.tron: 'index: on_demand' is not possible; nodes of Tron/);
});
