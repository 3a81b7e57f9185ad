/** A node of Solana made of generated blocks: votes, transfers of tokens and trades in a pool, answered from memory. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { packed, SYSTEM, TOKEN } from "../../src/demo/solana/made_transaction.ts";
import { fromBase58, toBase58 } from "../../src/lib/base58.ts";

/** Shares of the main network: most transactions are votes. */
export const SOLANA_SHAPE = { votes: 1_400, transfers: 400, trades: 200 } as const;

/** Begins with the main network's CAIP-2 reference. */
const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const VOTE = "Vote111111111111111111111111111111111111111";
const POOL_PROGRAM = "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C";
const SWAP_TAG = Buffer.from("8fbe5adac41e33de", "hex");
const TRANSFER_CHECKED = 12;
const DECIMALS = 6;
const FEE = 5_000;
const BEGIN = Date.UTC(2026, 0, 1) / 1_000;
const SLOTS_A_SECOND = 2.5;
const HELD = 10n ** 12n;
const WALLETS = 5_000;
const MINTS = 50;

const bytesOf = (name: string): Buffer => createHash("sha256").update(name).digest();
const keys = new Map<string, string>();
const key = (name: string): string => {
  const known = keys.get(name) ?? toBase58(bytesOf(name));
  keys.set(name, known);
  return known;
};

/** Prefix of an ed25519 private key in PKCS #8 (RFC 8410), before its 32 bytes. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const signers = new Map<string, KeyObject>();

/** The address of a key that signs. */
const signer = (name: string): string => {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytesOf(name)]), format: "der", type: "pkcs8" });
  const address = toBase58(createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32));
  keys.set(name, address);
  signers.set(address, secret);
  return address;
};

interface ReplayInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
  readonly inner?: readonly ReplayInstruction[];
}

interface AccountChange {
  readonly account: string;
  readonly mint: string;
  readonly owner: string;
  readonly change: bigint;
}

const compact = (length: number): Buffer =>
  length < 128 ? Buffer.from([length]) : Buffer.from([(length & 0x7f) | 0x80, length >> 7]);

const raw = (address: string): Uint8Array => {
  const bytes = fromBase58(address);
  if (bytes === null) throw new Error(`${address} is not an address`);
  return bytes;
};

/** A transaction in base64 in the form of `getBlock`; the first account pays. */
const listed = (
  name: string,
  payer: string,
  told: { instructions: readonly ReplayInstruction[]; held: readonly AccountChange[] },
) => {
  const secret = signers.get(payer);
  if (secret === undefined) throw new Error(`${payer} does not sign`);
  const { instructions, held } = told;
  const used = (one: ReplayInstruction): string[] => [...one.accounts, one.program, ...(one.inner ?? []).flatMap(used)];
  const accounts = [...new Set([payer, ...instructions.flatMap(used)])];
  const at = (address: string): number => accounts.indexOf(address);
  const message = Buffer.concat([
    Buffer.from([1, 0, 0]),
    ...[compact(accounts.length), ...accounts.map(raw), bytesOf(name), compact(instructions.length)],
    ...instructions.flatMap(({ program, accounts: given, data }) => [
      ...[Buffer.from([at(program)]), compact(given.length), Buffer.from(given.map(at))],
      ...[compact(data.length), data],
    ]),
  ]);
  const wire = Buffer.concat([compact(1), sign(null, message, secret), message]);
  const balances = (after: boolean) =>
    held.map(({ account, mint, owner, change }) => ({
      ...{ accountIndex: at(account), mint, owner, programId: TOKEN },
      uiTokenAmount: { amount: String(after ? HELD + change : HELD), decimals: DECIMALS },
    }));
  const innerInstructions = instructions.flatMap(({ inner }, index) => {
    const called = (inner ?? []).map(({ program, accounts: given, data }) => ({
      ...{ programIdIndex: at(program), accounts: given.map(at), data: toBase58(data), stackHeight: 2 },
    }));
    return called.length === 0 ? [] : [{ index, instructions: called }];
  });
  const lamports = (paid: number) => accounts.map((_, index) => 10_000_000_000 - (index === 0 ? paid : 0));
  return {
    transaction: [wire.toString("base64"), "base64"],
    meta: {
      ...{ err: null, fee: FEE, computeUnitsConsumed: 5_000, loadedAddresses: { writable: [], readonly: [] } },
      ...{ preBalances: lamports(0), postBalances: lamports(FEE) },
      ...{ preTokenBalances: balances(false), postTokenBalances: balances(true), innerInstructions },
    },
  };
};

const checked = (amount: bigint, accounts: readonly string[]): ReplayInstruction => ({
  program: TOKEN,
  accounts,
  data: packed(["u8", TRANSFER_CHECKED], ["u64", amount], ["u8", DECIMALS]),
});

const VALIDATORS = 1_500;
/** Some vote twice in a block. */
const VOTERS_A_BLOCK = 1_330;
/** Coprime to the number of validators: each block has them in another order. */
const STRIDES = [7, 11, 13, 17, 19, 23, 29, 31] as const;
const TOWER_SYNC = 14;

const vote = (name: string, slot: number, number: number) => {
  const stride = STRIDES[slot % STRIDES.length] ?? 1;
  const voter = ((number % VOTERS_A_BLOCK) * stride + slot) % VALIDATORS;
  const identity = signer(`validator ${voter}`);
  const data = Buffer.concat([packed(["u32", TOWER_SYNC]), bytesOf(name)]);
  const instruction = { program: VOTE, accounts: [key(`vote ${voter}`), identity], data };
  return listed(name, identity, { instructions: [instruction], held: [] });
};

const transfer = (name: string, number: number, amount: bigint) => {
  const [owner, other] = [`wallet ${number % WALLETS}`, `wallet ${(number * 7 + 1) % WALLETS}`];
  const mint = key(`mint ${number % MINTS}`);
  const [from, to] = [owner, other].map((one) => key(`${one} ${mint}`)) as [string, string];
  return listed(name, signer(owner), {
    instructions: [checked(amount, [from, mint, to, signer(owner)])],
    held: [
      { account: from, mint, owner: signer(owner), change: -amount },
      { account: to, mint, owner: signer(other), change: amount },
    ],
  });
};

const trade = (name: string, number: number, amount: bigint) => {
  const trader = signer(`wallet ${number % WALLETS}`);
  const market = number % 20;
  const [mint0, mint1, pool] = [key(`mint ${market}`), key(`mint ${market + 20}`), key(`pool ${market}`)];
  const authority = key("authority");
  const [vault0, vault1] = [key(`${pool} ${mint0}`), key(`${pool} ${mint1}`)];
  const [own0, own1] = [key(`${trader} ${mint0}`), key(`${trader} ${mint1}`)];
  const other = key("config");
  const swap: ReplayInstruction = {
    program: POOL_PROGRAM,
    accounts: [trader, authority, other, pool, own0, own1, vault0, vault1, TOKEN, TOKEN, mint0, mint1, other],
    data: Buffer.concat([SWAP_TAG, packed(["u64", amount], ["u64", 1])]),
    inner: [checked(amount, [own0, mint0, vault0, trader]), checked(amount, [vault1, mint1, own1, authority])],
  };
  return listed(name, trader, {
    instructions: [swap],
    held: [
      { account: own0, mint: mint0, owner: trader, change: -amount },
      { account: vault0, mint: mint0, owner: authority, change: amount },
      { account: vault1, mint: mint1, owner: authority, change: -amount },
      { account: own1, mint: mint1, owner: trader, change: amount },
    ],
  });
};

/** Totals that an indexer must have written. */
export interface FamilyTotals {
  /** Transactions, token movements and their sum, trades. */
  readonly transactions: number;
  readonly movements: number;
  readonly sum: bigint;
  readonly swaps: number;
}

export interface FamilyNode {
  readonly url: string;
  /** Number of the last block; the first is 0. */
  readonly to: number;
  readonly bytes_a_block: number;
  readonly totals: FamilyTotals;
  readonly stop: () => Promise<void>;
}

interface SolanaTexts {
  readonly head: string;
  readonly full: string;
}

const makeBlock = (slot: number): { readonly made: SolanaTexts; readonly sum: bigint } => {
  const { votes, transfers, trades } = SOLANA_SHAPE;
  let sum = 0n;
  const amountOf = (number: number, parts: bigint): bigint => {
    const amount = BigInt(1 + ((slot * 31 + number * 17) % 100_000));
    sum += amount * parts;
    return amount;
  };
  const own = (name: string, number: number): string => `${name} ${slot} ${number}`;
  const numbered = slot * 1_000;
  const list = [
    ...Array.from({ length: votes }, (_, i) => vote(own("vote", i), slot, i)),
    ...Array.from({ length: transfers }, (_, i) => transfer(own("transfer", i), numbered + i, amountOf(i, 1n))),
    ...Array.from({ length: trades }, (_, i) => trade(own("trade", i), numbered + i, amountOf(i, 2n))),
  ];
  const header = {
    blockhash: key(`block ${slot}`),
    previousBlockhash: slot === 0 ? SYSTEM : key(`block ${slot - 1}`),
    parentSlot: Math.max(0, slot - 1),
    blockTime: BEGIN + Math.floor(slot / SLOTS_A_SECOND),
    blockHeight: slot,
  };
  const rewards = [{ pubkey: key("leader"), lamports: (FEE * list.length) / 2, rewardType: "Fee" }];
  const full = JSON.stringify({ ...header, transactions: list, rewards });
  return { made: { head: JSON.stringify(header), full }, sum };
};

interface SlotRequest {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

const answerOf = (blocks: readonly SolanaTexts[], { method, params = [] }: SlotRequest): string => {
  const last = blocks.length - 1;
  const [first, second] = params.map(Number);
  const slots = (from: number, to: number) =>
    JSON.stringify(Array.from({ length: Math.max(0, Math.min(to, last) - from + 1) }, (_, i) => from + i));
  const value = (list: unknown) => JSON.stringify({ context: { slot: last }, value: list });
  switch (method) {
    case "getGenesisHash":
      return JSON.stringify(GENESIS);
    case "getVersion":
      return '{"solana-core":"3.0.0"}';
    case "getSlot":
      return String(last);
    case "getFirstAvailableBlock":
      return "0";
    case "getBlocks":
      return slots(first ?? 0, second ?? last);
    case "getBlocksWithLimit":
      return slots(first ?? 0, (first ?? 0) + (second ?? 1) - 1);
    case "getBlock": {
      const block = blocks[first ?? -1];
      if (block === undefined) return "null";
      return Reflect.get(Object(params[1]), "transactionDetails") === "full" ? block.full : block.head;
    }
    case "getMultipleAccounts":
      return value((params[0] as readonly unknown[]).map(() => null)); // a list of addresses, by the API
    default:
      throw new Error(`the generated node does not serve ${method}`);
  }
};

export const startSolanaNode = async (count: number): Promise<FamilyNode> => {
  const made = Array.from({ length: count }, (_, slot) => makeBlock(slot));
  const blocks = made.map((one) => one.made);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked: SlotRequest | SlotRequest[] = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const one = (call: SlotRequest): string => `{"jsonrpc":"2.0","id":${call.id},"result":${answerOf(blocks, call)}}`;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(Array.isArray(asked) ? `[${asked.map(one).join()}]` : one(asked));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { votes, transfers, trades } = SOLANA_SHAPE;
  return {
    // A server that listens on a port has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: count - 1,
    bytes_a_block: Math.round(blocks.reduce((sum, { full }) => sum + full.length, 0) / count),
    totals: {
      transactions: count * (votes + transfers + trades),
      movements: count * (transfers + 2 * trades),
      sum: made.reduce((sum, one) => sum + one.sum, 0n),
      swaps: count * trades,
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
