import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import type { CallContext } from "../../domain/context.ts";
import { hex } from "../../lib/bytes.ts";
import { data, noData } from "../../lib/outcome.ts";
import { replaceList } from "../../store/lists.ts";
import * as fields from "../../tools/fields.ts";
import { metadataFor } from "../../tools/metadata.ts";
import { type AnyTool, defineTool } from "../../tools/tool.ts";
import { runOnConsistentFacts } from "./consistent_run.ts";

const ADDRESS = hex("00000000000000000000000000000000000000aa");
const chain = fixedChain();
const network = chain.network.id;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network, from: 0, to: 9 }, {});
});
afterAll(() => store.close());

const context = (): CallContext => callContext({ facts: store.facts, chain: () => chain, networks: [network] });

let day = 0;
/** Imports the list as published a day later than before; its one label names the day. */
const importLabels = async (): Promise<string> => {
  day += 1;
  const version = `2026-08-0${day}`;
  await replaceList(
    store,
    {
      list: "mine",
      kind: "labels",
      version,
      format: "csv",
      origin: "a test",
      licence: "CC0-1.0",
      published_on: version,
    },
    {
      kind: "labels",
      entries: [
        {
          network,
          address: ADDRESS,
          label: version,
          category: "exchange",
          entity: "",
          confidence: 1,
          evidence: "",
          licence: "",
          published_on: "",
        },
      ],
      now_ms: Date.UTC(2026, 7, day),
    },
  );
  return version;
};

const toolThat = (run: AnyTool["run"]): AnyTool =>
  defineTool({
    name: "look",
    title: "Look",
    description: "Exists only in this test.",
    credits: 1,
    families: ["evm"],
    input: z.strictObject({ address: fields.address("The wallet.") }),
    output: z.looseObject({}),
    example: { address: `0x${ADDRESS}` },
    run,
  });

const told = (labels: readonly string[], snapshot: Parameters<typeof metadataFor>[1]) =>
  data({ labels, metadata: metadataFor(chain, snapshot, { echo: {}, methodology: "look@1" }) });

const readLabels = async ({ facts }: CallContext) => {
  const snapshot = await facts.snapshot(network, null);
  const rows = await facts.ask(snapshot, "labels_among", { addresses: [ADDRESS] });
  return { snapshot, labels: rows.map(({ label }) => label) };
};

test("the lists whose rows a question reads are sources of the answer, and those of other kinds are not", async () => {
  const version = await importLabels();
  const entry = { network, token: ADDRESS, symbol: "A", name: "A", decimals: 18, logo_uri: "" };
  const head = { list: "coins", version: "1.2.0", format: "token_list", origin: "a test", licence: "MIT" };
  await replaceList(
    store,
    { ...head, kind: "tokens", published_on: "" },
    { kind: "tokens", entries: [entry], now_ms: 1 },
  );
  const look = toolThat(async (_, given) => {
    const { labels, snapshot } = await readLabels(given);
    return told(labels, snapshot);
  });
  const { outcome } = await runOnConsistentFacts(look, {}, context);
  const sources = [{ id: "labels/mine", version, updated_at: `${version}T00:00:00Z` }];
  expect(outcome).toMatchObject({ kind: "data", data: { labels: [version], metadata: { sources } } });
  const absent = toolThat(async (_, { facts }) => {
    const snapshot = await facts.snapshot(network, null);
    await facts.ask(snapshot, "listed_tokens_among", { tokens: [ADDRESS] });
    return noData({
      type: "looked",
      message: "Nothing.",
      metadata: metadataFor(chain, snapshot, { echo: {}, methodology: "look@1" }),
    });
  });
  expect((await runOnConsistentFacts(absent, {}, context)).outcome).toMatchObject({
    kind: "no_data",
    metadata: { sources: [{ id: "tokens/coins", version: "1.2.0", updated_at: null }] },
  });
});

test("an answer that asks for no list names none", async () => {
  const blind = toolThat(async (_, { facts }) => told([], await facts.snapshot(network, null)));
  expect((await runOnConsistentFacts(blind, {}, context)).outcome).toMatchObject({
    data: { metadata: { sources: [] } },
  });
});

test("a list that is replaced while the answer is computed makes it computed again", async () => {
  await importLabels();
  let runs = 0;
  const look = toolThat(async (_, given) => {
    const { labels, snapshot } = await readLabels(given);
    runs += 1;
    if (runs === 1) await importLabels();
    return told(labels, snapshot);
  });
  const { outcome } = await runOnConsistentFacts(look, {}, context);
  const version = `2026-08-0${day}`;
  expect(runs).toBe(2);
  expect(outcome).toMatchObject({ data: { labels: [version], metadata: { sources: [{ version }] } } });
});
