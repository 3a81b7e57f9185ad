import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { type Bytes, EMPTY, fromHex, type Hex, keccak256, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S } from "../lib/time.ts";
import { type LabelEntry, replaceList } from "../store/lists.ts";
import type { ContractsRow, TransfersRow } from "../store/tables.gen.ts";
import { CloneLabels } from "./clone_labels.ts";
import { FamilyLabels } from "./family_labels.ts";

/** A midnight. Blocks are 12 hours apart, so that a day has two. */
const T0 = 1_785_542_400;
const HALF_DAY = DAY_S / 2;
const signal = new AbortController().signal;
/** Codes: of a bridge, of a proxy (PUSH0, DELEGATECALL), and of contracts of two kinds. */
const CODE = { bridge: "6001600201", proxy: "5ff4", both: "600360040160" } as const;
const bytes = (hex: string): Bytes => fromHex(hex) ?? EMPTY;
const hashOf = (code: string): Bytes => keccak256(bytes(code));
const at = testAddress;
const [DEPLOYER, THIEF, HELPER, STRANGER, PAID] = [0xd1, 0xd2, 0xd3, 0xd4, 0xd5].map(at) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const created = (block: number, address: Uint8Array, more: Partial<ContractsRow>): ContractsRow => ({
  ...{
    network: "demo",
    address,
    block_number: block,
    tx_index: Number(BigInt(`0x${toHex(address)}`) % 100n),
    position: 1,
  },
  ...{ time: T0 + block * HALF_DAY, tx_hash: keccak256(address), event: "created", method: "create2" },
  ...{ creator: STRANGER, factory: at(0xfac), init_hash: keccak256(at(1)), code_hash: EMPTY },
  ...more,
});
const paid = (
  block: number,
  position: number,
  [source, destination, amount]: readonly [Uint8Array, Uint8Array, bigint],
): TransfersRow => ({
  ...{
    network: "demo",
    block_number: block,
    tx_index: position,
    position: 0,
    time: T0 + block * HALF_DAY,
    kind: "native",
  },
  ...{ token: EMPTY, token_id: 0n, source, destination, amount, sender: source },
});
const own = { creator: DEPLOYER, factory: EMPTY, method: "create" as const, position: 0 };

const seed = (
  from: number,
  to: number,
  contracts: readonly ContractsRow[],
  transfers: readonly TransfersRow[] = [],
) => {
  const blocks = Array.from({ length: to - from + 1 }, (_, n) => from + n).map((number) => ({
    ...{
      network: "demo",
      block_number: number,
      hash: keccak256(at(number)),
      parent_hash: keccak256(at(Math.max(0, number - 1))),
    },
    ...{
      time: T0 + number * HALF_DAY,
      producer: at(1),
      transaction_count: 0,
      has_traces: 1,
      verified: "full" as const,
    },
  }));
  const transactions = transfers.map(({ network, block_number, tx_index, time, source, destination }) => ({
    ...{
      network,
      block_number,
      tx_index,
      time,
      sender: source,
      recipient: destination,
      hash: keccak256(Buffer.from(`${block_number}:${tx_index}`)),
    },
    ...{ value: 1n, fee: 0n, gas_used: 0n, nonce: 0, succeeded: 1, selector: EMPTY, created: EMPTY },
  }));
  return store.seed({ network: "demo", from, to, first: 0 }, { blocks, contracts, transfers, transactions });
};

const label = (address: Uint8Array, name: string, category: string): LabelEntry => ({
  ...{ network: "demo", address: toHex(address), label: name, category, entity: name.split(" ")[0] ?? "" },
  ...{ confidence: 0.9, evidence: "", licence: "", published_on: "" },
});
const list = (entries: readonly LabelEntry[], now_ms: number) =>
  replaceList(
    store,
    { list: "own", kind: "labels", version: "1", format: "labels-json", origin: "", licence: "", published_on: "" },
    { kind: "labels", entries, now_ms },
  );
const LISTED = [
  label(at(0x100), "Hop bridge", "bridge"),
  label(at(0x101), "Hop proxy", "bridge"),
  label(at(0x102), "Curve pool", "dex"),
  label(at(0x103), "Aave market", "lending"),
  label(DEPLOYER, "Hop deployer", "bridge"),
  label(THIEF, "Rug crew", "scam"),
];
const derived = async (source: string) =>
  (
    await store.query(
      `SELECT lower(hex(address)), label, category, entity, evidence, toUnixTimestamp(valid_from) FROM labels FINAL
       WHERE source = '${source}' AND category != '' ORDER BY address`,
    )
  ).map(([address, ...said]) => [Number(`0x${address}`), ...said]);

const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      [0x100, CODE.bridge],
      [0x101, CODE.proxy],
      [0x102, CODE.both],
      [0x103, CODE.both],
    ] as const
  ).map(([n, code]) => [toHex(at(n)), code]),
);
const clonesOf = (codeOf: (address: Hex) => string) =>
  new CloneLabels({
    ...{ network: fixedChain().network, store, now_ms: () => 1_000 },
    codeOf: async (address) => bytes(codeOf(address)),
  });
const day = (n: number) => T0 + n * DAY_S;

test("a contract with the code of a labelled one gets its kind and not its owner; proxies and codes of two kinds yield nothing", async () => {
  await list(LISTED, 1);
  const init = keccak256(at(0x77));
  await seed(0, 5, [
    // Created by transactions: the index has their init code, the node their runtime code.
    created(0, at(0x100), { ...own, init_hash: init }),
    created(0, at(0x101), own),
    created(0, at(0x102), own),
    created(0, at(0x103), own),
    created(2, at(0x200), { code_hash: hashOf(CODE.bridge) }),
    created(2, at(0x201), { code_hash: hashOf(CODE.proxy) }),
    created(3, at(0x202), { code_hash: hashOf(CODE.both) }),
    created(3, at(0x203), { creator: STRANGER, factory: EMPTY, method: "create", position: 0, init_hash: init }),
  ]);
  const pass = clonesOf((address) => CODES[address] ?? "");
  await pass.update(signal);
  const code = (hash: Bytes) => `code 0x${toHex(hash)} of 0x${toHex(at(0x100))}`;
  // On day 1: it holds from the midnight of day 3.
  const wanted = [
    [0x200, "Same code as Hop bridge", "bridge", "", code(hashOf(CODE.bridge)), day(3)],
    [0x203, "Same code as Hop bridge", "bridge", "", code(init), day(3)],
  ];
  expect(await derived("clones")).toEqual(wanted);
  // The next days bring one more, and a labelled contract whose twin is older than it.
  await seed(6, 9, [created(6, at(0x204), { code_hash: hashOf(CODE.bridge) })]);
  await pass.update(signal);
  expect(await derived("clones")).toHaveLength(3);
  const again = clonesOf((address) => CODES[address] ?? "");
  await again.update(signal);
  expect((await derived("clones")).map(([address]) => address)).toEqual([0x200, 0x203, 0x204]);
  // A node that returns another code than the created one is not trusted.
  const lying = clonesOf(() => "6009");
  await lying.update(signal);
  expect((await derived("clones")).map(([address]) => address)).toEqual([0x203]);
});

test("while the node is away nothing changes, and the next update covers the same days", async () => {
  let is_away = true;
  const pass = new CloneLabels({
    ...{ network: fixedChain().network, store, now_ms: () => 2_000 },
    codeOf: async (address) => {
      if (is_away) throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "away", retryable: true });
      return bytes(CODES[address] ?? "");
    },
  });
  const before = await derived("clones");
  await pass.update(signal);
  expect(await derived("clones")).toEqual(before);
  is_away = false;
  await pass.update(signal);
  expect(await derived("clones")).toHaveLength(3);
});

test("contracts of a labelled deployer are of its kind, and so is a deployer that it funded; a gift makes no family", async () => {
  const token = at(0x300);
  await store.writer.insert("tokens", [
    {
      network: "demo",
      token,
      standard: "erc20",
      name: "T",
      symbol: "T",
      decimals: 18,
      total_supply: 1n,
      read_at_block: 1,
      has_hidden: 0,
    },
  ]);
  await seed(
    10,
    15,
    [
      created(10, at(0x301), own),
      created(10, token, own),
      created(10, at(0x302), { ...own, creator: THIEF }),
      // Through another account's factory: its contracts get the factory's kind.
      created(11, at(0x303), { creator: DEPLOYER }),
      created(13, at(0x304), { ...own, creator: HELPER }),
      created(13, at(0x305), { ...own, creator: PAID }),
    ],
    [
      paid(11, 0, [DEPLOYER, HELPER, 100n]),
      paid(12, 0, [STRANGER, HELPER, 60n]),
      // A thief's 1 of 100 makes no recipient a thief.
      paid(11, 1, [THIEF, PAID, 1n]),
      paid(12, 1, [STRANGER, PAID, 99n]),
    ],
  );
  const pass = new FamilyLabels({ network: fixedChain().network, store, now_ms: () => 1_000 });
  await pass.update(signal);
  const funding = `0x${toHex(keccak256(Buffer.from("11:0")))}`;
  const made = (n: number) => `0x${toHex(keccak256(at(n)))}`;
  // Blocks 10 and 11 are day 5, block 13 is day 6.
  expect(await derived("families")).toEqual([
    [0xd3, "Deployer funded by Hop deployer", "bridge", "Hop", funding, day(8)],
    [0x301, "Deployed by Hop deployer", "bridge", "Hop", made(0x301), day(7)],
    [0x302, "Deployed by Rug crew", "scam", "Rug", made(0x302), day(7)],
  ]);
  await list(
    LISTED.filter(({ category }) => category === "scam"),
    2,
  );
  await pass.update(signal);
  expect((await derived("families")).map(([address]) => address)).toEqual([0x302]);
});
