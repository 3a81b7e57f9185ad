import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import { rowsOfBlocks } from "../facts_hash.ts";
import { eachNth } from "../long.ts";
import { without } from "./on_demand_figures.ts";
import { openTestService, type ToolReply } from "./served_world.ts";
import { still } from "./still.ts";
import { openTruth } from "./truth.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/** A transaction on a network that is read on demand is explained as by the whole index of the same chain. */

let stage: WholeAndDemand;

beforeAll(async () => {
  stage = await openWholeAndDemand(false);
}, 400_000);
afterAll(() => stage?.close());

const asked = (tx_hash: string) => ({ tx_hash, network: "demo" });
const codesOf = ({ body }: ToolReply): readonly string[] =>
  body.metadata.warnings.map(({ code }: { readonly code: string }) => code);

/** The basis of an answer, and labels that are derived from a whole network. */
const OTHER = ["metadata", "confirmations", "label", "tags", "spender_label", "peer_labels", "protocol_source"];

/**
 * Names of protocols that the derived label of a pool gives, findings against the sender's earlier payments, and the issuer's transaction of a
 * freeze that the contract itself states.
 */
const othersIn = ({ body }: ToolReply): readonly string[] => {
  const flags = body.risk_flags.map(({ code }: { readonly code: string }) => code);
  return [
    ...(body.headline?.protocol_source === "counterparty" ? ["protocol", "version", "summary_text"] : []),
    ...(flags.includes("lookalike_recipient") ? ["risk_flags", "summary_text"] : []),
    ...(flags.includes("issuer_frozen_party") ? ["evidence"] : []),
  ];
};

test("every kind of transaction is explained alike", async () => {
  const { sent } = await openTruth(stage.world);
  const sample = [...eachNth(sent, 29, 7)];
  expect(sample.length).toBeGreaterThan(25);
  const compare = async (tx_hash: string): Promise<void> => {
    const expected = await stage.whole.ask("analyze_transaction", asked(tx_hash));
    const other = [...OTHER, ...othersIn(expected)];
    // While the node refuses, the answer may fail, and it may be unknown whether an address has code.
    await vi.waitFor(
      async () => {
        const found = await stage.demand.ask("analyze_transaction", asked(tx_hash));
        expect(without(other, still(found.text))).toEqual(without(other, still(expected.text)));
        if (other.includes("risk_flags")) expect(codesOf(found)).toContain("LOOKALIKES_NOT_CHECKED");
        const { block_number, metadata } = found.body;
        expect(metadata.coverage).toMatchObject({ from_block: block_number, to_block: block_number, complete: false });
        expect(codesOf(found)).toContain("HISTORY_NOT_READ");
      },
      { timeout: 60_000, interval: 300 },
    );
  };
  const worker = async (): Promise<void> => {
    for (let next = sample.shift(); next !== undefined; next = sample.shift()) await compare(next.hash);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}, 900_000);

test("the blocks are stored once, with the rows of the whole index", async () => {
  const stored = await stage.demand.service.facts.engine.query(
    "SELECT block_number FROM blocks WHERE network = 'demo' AND tail = 0 ORDER BY block_number",
  );
  const blocks = stored.map(([number]) => Number(number));
  expect(new Set(blocks).size).toBe(blocks.length);
  expect(blocks.length).toBeGreaterThan(25);
  const [found, expected] = await Promise.all(
    [stage.demand, stage.whole].map(({ service }) => rowsOfBlocks(service.facts.engine, "demo", blocks)),
  );
  expect(found).toEqual(expected);
});

test("a hash that no node knows may exist", async () => {
  const { body, headers } = await stage.demand.ask("analyze_transaction", asked(`0x${"ab".repeat(32)}`));
  expect(body).toMatchObject({ status: "error", code: "COVERAGE_INCOMPLETE" });
  expect(headers.get("x-credits-charged")).toBe("0");
});

test("a pending transaction and one that is not final are explained without their block", async () => {
  const { rpc } = stage.world;
  const from = CHARACTERS.alice.address;
  await rpc.call("anvil_impersonateAccount", from);
  await rpc.call("evm_setAutomine", false);
  const hash = String(await rpc.call("eth_sendTransaction", { from, to: CHARACTERS.bob.address, value: "0x1234" }));
  const tell = async () => {
    const reply = await vi.waitFor(
      async () => {
        const found = await stage.demand.ask("analyze_transaction", asked(hash));
        expect(found.body.status).not.toBe("error");
        return found;
      },
      { timeout: 20_000, interval: 300 },
    );
    return reply;
  };
  expect((await tell()).body).toMatchObject({ status: "pending", block_number: null, finalized: null });
  await rpc.call("anvil_mine", "0x1");
  await rpc.call("evm_setAutomine", true);
  const newest = Number(await rpc.call("eth_blockNumber"));
  const mined = await tell();
  // 0x1234 wei are 4,660.
  expect(mined.body).toMatchObject({
    ...{ status: "success", block_number: newest, finalized: false, confirmations: 0 },
    transfers: [{ kind: "native", amount_raw: "4660" }],
  });
  expect(codesOf(mined)).toContain("LOOKALIKES_NOT_CHECKED");
  const wished = await stage.demand.service.facts.engine.query(
    `SELECT count() FROM wished_blocks WHERE block_number = ${newest}`,
  );
  expect(wished.map(([count]) => Number(count))).toEqual([0]);
});

test("a call without time to wait fails with READING, and an account has its limit", async () => {
  const { on_demand } = settings.parse({ on_demand: { wait_seconds: 0, blocks_per_day: 1 } });
  const networks = [stage.rented];
  const service = await openTestService({ networks, settings: { on_demand } });
  try {
    const { sent } = await openTruth(stage.world);
    const [first, second] = [sent[100], sent[300]];
    const told = async (hash: string | undefined) => {
      const { body } = await service.ask("analyze_transaction", asked(hash ?? ""));
      return body.status === "error" ? body : { code: "data" };
    };
    await vi.waitFor(
      async () =>
        expect(await told(first?.hash)).toMatchObject({
          code: "READING",
          message: `Block ${first?.block} of demo is being read from the node. Nothing is charged; ask again in 10 seconds.`,
        }),
      { timeout: 20_000, interval: 10 },
    );
    await vi.waitFor(async () => expect(await told(second?.hash)).toMatchObject({ code: "SUBJECT_LIMIT" }), 20_000);
    await vi.waitFor(async () => expect((await told(first?.hash)).code).toBe("data"), {
      timeout: 20_000,
      interval: 200,
    });
  } finally {
    await service.close();
  }
});
