import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import { noAccount } from "../domain/absences.ts";
import { accountTypes, readAccountKind } from "../domain/address/identity/account_kind.ts";
import { labelsOf } from "../domain/address/identity/parties.ts";
import type { CallContext } from "../domain/context.ts";
import { queryEachNetwork } from "../domain/networks.ts";
import { pricesAt } from "../domain/valuation/prices/price_now.ts";
import { usdOf } from "../domain/valuation/worth.ts";
import { type Hex, keccak256, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { toAmount } from "../lib/money.ts";
import { data, failed, noData } from "../lib/outcome.ts";
import type { Snapshot } from "../store/facts.ts";
import { accountFacts, factsOf } from "./account_facts.ts";
import { address, metadata, networks, unavailable } from "./fields.ts";
import { metadataOver } from "./metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "./tool.ts";

const METHODOLOGY = "account-meta/live@1";

const input = z.strictObject({
  address: address("Address of the account."),
  network: networks().default("all"),
});

const account = z.strictObject({
  network: z.string(),
  chain_id: z.string().describe("CAIP-2 chain id."),
  block_number: z.int().describe("Block at which everything here was read."),
  exists: z.boolean(),
  account_type: z.enum(accountTypes),
  is_contract: z.boolean().describe("True when the account has its own code; a delegated account (EIP-7702) has none."),
  native_balance: z.number(),
  native_balance_raw: z.string(),
  native_symbol: z.string(),
  usd_value: z.number().nullable(),
  nonce: z.int().nullable().describe("Nonce; null on networks whose accounts have none."),
  code_hash: z.string().nullable().describe("keccak-256 of the code; null outside EVM networks and without code."),
  delegated_to: z.string().nullable().describe("Delegation target of the account (EIP-7702); null without one."),
  proxy_implementation: z
    .string()
    .nullable()
    .describe("Implementation of a proxy (EIP-1167, EIP-1967) or singleton of a Safe; null when it is not a proxy."),
  safe: z.strictObject({ version: z.string(), threshold: z.int(), owners: z.array(z.string()) }).nullable(),
  erc4337: z.strictObject({ entry_point: z.string() }).nullable(),
  ...accountFacts,
  label: z.string().nullable(),
});

const output = z.strictObject({
  type: z.literal("account_meta"),
  accounts: z.array(account).describe("One row per network on which the account exists."),
  unavailable,
  metadata: metadata({ address: z.string() }),
});

type AccountOutput = z.output<typeof account>;

const snapshotOrNull = async (chain: Chain, context: CallContext): Promise<Snapshot | null> => {
  try {
    return await context.facts.snapshot(chain.network.id, null);
  } catch (error) {
    // The index has no block yet.
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

const indexedOf = async (chain: Chain, hex: Hex, context: CallContext) => {
  const snapshot = await snapshotOrNull(chain, context);
  if (snapshot === null) return { price: null, label: null };
  const [prices, labels] = await Promise.all([
    pricesAt({ facts: context.facts, network: chain.network, snapshot }, [""]),
    labelsOf(context.facts, snapshot, [hex]),
  ]);
  return { price: prices.get("") ?? null, label: labels.get(hex)?.label ?? null };
};

const readAccount = async (chain: Chain, hex: Hex, context: CallContext) => {
  const block = await chain.head(context.signal);
  const [read, indexed] = await Promise.all([
    readAccountKind({ chain, address: hex, at: block.number, signal: context.signal }),
    indexedOf(chain, hex, context),
  ]);
  const { state, delegate, code, is_contract, account_type } = read;
  const { symbol, decimals } = chain.network.native;
  const shown = (found: Hex | null) => (found === null ? null : chain.formatAddress(found));
  const value: AccountOutput = {
    network: chain.network.id,
    chain_id: chain.network.caip2,
    block_number: block.number,
    exists: state.exists,
    account_type,
    is_contract,
    native_balance: toAmount(state.balance, decimals),
    native_balance_raw: state.balance.toString(),
    native_symbol: symbol,
    usd_value: usdOf(state.balance, decimals, indexed.price),
    nonce: chain.network.has_nonces === false ? null : state.nonce,
    code_hash: state.code.length === 0 || state.program !== null ? null : `0x${toHex(keccak256(state.code))}`,
    delegated_to: shown(delegate),
    proxy_implementation: shown(code.implementation),
    safe:
      code.safe === null
        ? null
        : {
            version: code.safe.version,
            threshold: code.safe.threshold,
            owners: code.safe.owners.map((owner) => chain.formatAddress(owner)),
          },
    erc4337: code.entryPoint === null ? null : { entry_point: chain.formatAddress(code.entryPoint) },
    ...factsOf(chain, state),
    label: indexed.label,
  };
  return { basis: { block, coverage: null }, value };
};

export const getWalletAccountMeta = defineTool({
  name: "get_wallet_account_meta",
  title: "Account facts, read live",
  description:
    "Whether an account exists, its kind (plain, delegated, Safe, smart account, token, contract, program, multisig), native balance, nonce, code, proxy target and owners; on Solana the owning program and size, on Tron stakes, bandwidth, energy and permissions. Read live from the nodes. Use it to tell whether an address is a contract or a plain account, and for its nonce and native balance.",
  credits: 1,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  subjects: [],
  run: async (asked, context) => {
    const spread = await queryEachNetwork(asked, context, (chain, hex) => readAccount(chain, hex, context));
    const accounts = spread.answered.map(({ value }) => value).filter(({ exists }) => exists);
    const described = metadataOver(asked, spread, { echo: { address: asked.address.text }, methodology: METHODOLOGY });
    if (accounts.length === 0 && spread.failed.length > 0) {
      return failed(
        "UPSTREAM_UNAVAILABLE",
        "The account was not found, but some networks could not be read.",
        described,
      );
    }
    if (accounts.length === 0) return noData({ type: "account_meta", metadata: described, message: noAccount(spread) });
    const unpriced = accounts.filter(({ usd_value }) => usd_value === null).map(({ network }) => network);
    return data({
      type: "account_meta" as const,
      accounts,
      unavailable:
        unpriced.length === 0
          ? []
          : [{ field: "accounts[].usd_value", reason: `no price of the native coin on ${unpriced.join(", ")}` }],
      metadata: described,
    });
  },
  view: { members: "accounts", drawn: { accounts: { is: "page" } } },
});
