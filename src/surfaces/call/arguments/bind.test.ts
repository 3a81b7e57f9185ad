import { base58 } from "@scure/base";
import { expect, test } from "vitest";
import * as z from "zod";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { Chain } from "../../../chains/chain.ts";
import { fromHex, type Hex, toHex } from "../../../lib/bytes.ts";
import * as fields from "../../../tools/fields.ts";
import { type AnyTool, defineTool } from "../../../tools/tool.ts";
import { bindArguments } from "./bind.ts";

const evm = fixedChain();
/** A network whose addresses are base58 of 32 bytes, as Solana's are. */
const solana: Chain = {
  ...fixedChain({
    network: {
      id: "solana",
      family: "solana",
      name: "Solana",
      chain_id: 101,
      caip2: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    },
  }),
  parseAddress: (text) => {
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
    const bytes = base58.decode(text);
    return bytes.length === 32 ? toHex(bytes) : null;
  },
  formatAddress: (address: Hex) => base58.encode(fromHex(address) ?? new Uint8Array(0)),
};

const toolWith = (input: z.ZodObject, changes: Partial<AnyTool> = {}): AnyTool =>
  defineTool({
    name: "probe",
    title: "Probe",
    description: "Exists only here.",
    credits: 1,
    families: ["evm", "solana"],
    input,
    output: z.strictObject({}),
    example: {},
    run: async () => {
      throw new Error("not run here");
    },
    ...changes,
  });

const NOW = Date.UTC(2026, 10, 20, 12);
const bind = (tool: AnyTool, args: Record<string, unknown>) =>
  bindArguments(tool, args, { chains: [evm, solana], now_ms: NOW });

const detailOf = (bound: ReturnType<typeof bind>): string => {
  if (bound.kind !== "refused") throw new Error("expected a refusal");
  return bound.detail;
};

const EVM = "0x00000000219ab540356cbb839cbe05303d7705fa";
/** The same address as EIP-55 writes it: the deposit contract of Ethereum. */
const CHECKSUMMED = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const SOLANA = "So11111111111111111111111111111111111111112";
const SYSTEM = "11111111111111111111111111111111";

const wallet = toolWith(z.strictObject({ wallet_address: fields.address("Wallet."), network: fields.networks() }));

test("an address is parsed by the rules of the requested network", () => {
  expect(bind(wallet, { wallet_address: EVM, network: "demo" }).kind).toBe("bound");
  expect(bind(wallet, { wallet_address: SYSTEM, network: "solana" }).kind).toBe("bound");
  expect(detailOf(bind(wallet, { wallet_address: SYSTEM, network: "demo" }))).toContain("0x and 40 hex digits");
  expect(detailOf(bind(wallet, { wallet_address: EVM, network: "solana" }))).toContain("base58 of 32 bytes");
});

test("over several networks it must fit one of them", () => {
  for (const wallet_address of [EVM, SYSTEM])
    expect(bind(wallet, { wallet_address, network: "all" }).kind).toBe("bound");
  expect(detailOf(bind(wallet, { wallet_address: SYSTEM, network: "evm" }))).toContain("0x and 40 hex digits");
  expect(detailOf(bind(wallet, { wallet_address: "x", network: "all" }))).toContain("; or base58 of 32 bytes");
});

test("an address without a network must fit an enabled one", () => {
  const osint = toolWith(
    z.strictObject({ wallet_address: z.string().meta({ kind: "any_address", description: "Wallet." }) }),
  );
  for (const wallet_address of [EVM, SYSTEM]) expect(bind(osint, { wallet_address }).kind).toBe("bound");
  expect(bind(osint, { wallet_address: "nobody" }).kind).toBe("refused");
});

test("wrapped SOL is the native coin on Solana and an ordinary word elsewhere", () => {
  const price = toolWith(z.strictObject({ token_address: fields.token("Token."), network: fields.network() }));
  expect(bind(price, { token_address: SOLANA, network: "solana" })).toMatchObject({
    input: { token_address: "native" },
  });
  expect(bind(price, { token_address: SOLANA, network: "demo" }).kind).toBe("refused");
});

test("all and evm are refused where a tool takes one network", () => {
  const one = toolWith(z.strictObject({ network: fields.network() }));
  for (const network of ["all", "evm"])
    expect(detailOf(bind(one, { network }))).toMatch(/^field 'network' must be one of demo, solana, not '(all|evm)'\./);
});

test("a network that the tool does not serve is not listed for it", () => {
  const only = toolWith(z.strictObject({ network: fields.networks() }), { families: ["solana"] });
  expect(detailOf(bind(only, { network: "demo" }))).toContain("must be one of solana, all, not 'demo'");
});

test("check sees defaults, enabled networks and the day", () => {
  const seen: unknown[] = [];
  const checked = toolWith(z.strictObject({ page: fields.page() }), {
    check: (input, context) => {
      seen.push(input, context);
      return null;
    },
  });
  expect(bind(checked, {})).toEqual({ kind: "bound", input: { page: 1 }, asked: { page: 1 } });
  expect(seen).toEqual([{ page: 1 }, { networks: ["demo", "solana"], today: "2026-11-20" }]);
});

test("a fault inside check is ours and is thrown", () => {
  const broken = toolWith(z.strictObject({}), {
    check: () => {
      throw new TypeError("bug");
    },
  });
  expect(() => bind(broken, {})).toThrow("bug");
});

test("a tool of one network is run with the bytes on it, one of several with those on each", () => {
  const asked = z.strictObject({
    token_address: fields.token("Token."),
    network: fields.network(),
    from_date: fields.date("First day."),
  });
  const token = { token_address: EVM.toUpperCase().replace("0X", "0x"), network: "demo" };
  expect(bind(toolWith(asked), { ...token, from_date: "1970-01-02" })).toEqual({
    kind: "bound",
    input: { ...token, token_address: CHECKSUMMED, from_date: "1970-01-02" },
    asked: {
      token_address: { text: CHECKSUMMED, hex: EVM.slice(2) },
      network: "demo",
      from_date: 86_400,
    },
  });
  expect(bind(toolWith(asked), { token_address: `0x${"ee".repeat(20)}`, network: "demo" })).toMatchObject({
    input: { token_address: "native" },
    asked: { token_address: { text: "native", hex: "" } },
  });
  expect(bind(wallet, { wallet_address: SYSTEM, network: "all" })).toMatchObject({
    asked: { wallet_address: { text: SYSTEM, by_network: new Map([["solana", "00".repeat(32)]]) }, network: "all" },
  });
});

test("where the network may be left out the bytes stand by network, also when it is named", () => {
  const searched = toolWith(
    z.strictObject({ tx_hash: fields.transactionHash("Hash."), network: fields.network().optional() }),
  );
  const tx_hash = `0x${"Ab".repeat(32)}`;
  expect(bind(searched, { tx_hash, network: "demo" })).toMatchObject({
    asked: { tx_hash: { text: tx_hash, by_network: new Map([["demo", "ab".repeat(32)]]) } },
  });
});

test("a name is normalized by ENSIP-15, and an address instead of a name becomes bytes", () => {
  const named = toolWith(z.strictObject({ name: fields.nameOrAddress("Name.") }));
  expect(bind(named, { name: "Alice.ETH" })).toMatchObject({
    input: { name: "Alice.ETH" },
    asked: { name: { text: "Alice.ETH", normalized: "alice.eth", by_network: new Map() } },
  });
  expect(bind(named, { name: EVM })).toMatchObject({
    asked: { name: { normalized: null, by_network: new Map([["demo", EVM.slice(2)]]) } },
  });
});

test("an address is echoed as its network writes it, in whatever case it was sent", () => {
  for (const wallet_address of [EVM, EVM.toUpperCase().replace("0X", "0x"), CHECKSUMMED])
    for (const network of ["demo", "all"])
      expect(bind(wallet, { wallet_address, network })).toMatchObject({
        input: { wallet_address: CHECKSUMMED },
        asked: { wallet_address: { text: CHECKSUMMED } },
      });
});

test("a text that is no address on the network leads to what it is", () => {
  const token = toolWith(z.strictObject({ token_address: fields.token("Token."), network: fields.network() }));
  const evmOnly = toolWith(z.strictObject({ contract_address: fields.address("Contract.") }), { families: ["evm"] });
  const asked = (wallet_address: string) => detailOf(bind(wallet, { wallet_address, network: "demo" }));
  expect(asked(SOLANA)).toContain("it is an address of network 'solana'");
  expect(asked("alice.eth")).toContain("it is a name; resolve_name finds its address");
  expect(asked("vitalik")).toContain("a name without its ending, which resolve_name needs");
  expect(asked(`0x${"ab".repeat(32)}`)).toContain("it is a transaction hash, which analyze_transaction takes");
  expect(asked("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")).toContain("it is an address of Tron, and no such network is");
  expect(detailOf(bind(token, { token_address: "USDC", network: "demo" }))).toContain("resolve_token_symbol finds");
  expect(detailOf(bind(evmOnly, { contract_address: SOLANA }))).toContain(
    "it is an address of network 'solana', which this tool does not serve; get_wallet_account_meta describes it",
  );
  expect(asked("0x12")).toMatch(/got '?"?0x12"?'?\.$/);
  expect(asked(CHECKSUMMED.replace("cBB", "Cbb"))).toContain("its EIP-55 checksum is wrong.");
});

test.each([
  // The whole day, in UTC: 20,454 days after 1970 begins 1 January 2026.
  ["2026-01-01", 20_455 * 86_400 - 1],
  ["2026-01-01T00:00:00Z", 20_454 * 86_400],
  ["2026-01-01T02:30:00.999+02:00", 20_454 * 86_400 + 1_800],
  ["2026-01-01T00:01", 20_454 * 86_400 + 60],
  ["2026-11-20T12:00:00Z", NOW / 1000],
])("reads %s as the moment whose last block is meant", (text, until) => {
  const tool = toolWith(z.strictObject({ network: fields.networks(), as_of_block: fields.asOfBlock() }));
  expect(bind(tool, { network: "solana", as_of_block: text })).toMatchObject({
    kind: "bound",
    input: { as_of_block: text },
    asked: { as_of_block: { text, until } },
  });
  // A date means something on every network, a number on one.
  expect(bind(tool, { network: "all", as_of_block: text }).kind).toBe("bound");
  expect(detailOf(bind(tool, { network: "all", as_of_block: 5 }))).toContain("requires a single network");
});

test.each([
  ["2026-02-30", "must be a block number (an integer), a date (2026-01-31) or a date-time"],
  ["2026-02-30T10:00:00Z", "must be a block number"],
  ["yesterday", "not 'yesterday'"],
  ["870", "send 870 without quotes"],
  ["1969-12-30", "must not be before 1970-01-01"],
  ["2026-11-20", "is a day that has not ended (it is 2026-11-20T12:00:00Z)"],
  ["2026-11-21", "must not be in the future"],
  ["2026-11-20T12:00:01Z", "must not be in the future"],
  ["2026-11-20T10:00:00-03:00", "must not be in the future"],
])("refuses %s as a block", (as_of_block, sentence) => {
  const tool = toolWith(z.strictObject({ network: fields.network(), as_of_block: fields.asOfBlock() }));
  expect(detailOf(bind(tool, { network: "solana", as_of_block }))).toContain(sentence);
});
