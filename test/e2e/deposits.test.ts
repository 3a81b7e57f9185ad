import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sealed } from "../../bench/replay/sealed.ts";
import { type ReplayBlock, startReplay } from "../../bench/replay/server.ts";
import { optimism } from "../../src/chains/networks/known.gen.ts";
import { settings } from "../../src/config/settings.ts";
import { hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { openService } from "../../src/main.ts";

const NUMBER = 120_000_000;
const WORD = `0x${"b1".repeat(32)}`;
const quantity = (value: number | bigint): string => `0x${value.toString(16)}`;
const ETHER = 10n ** 18n;
const [ALICE, BOB, CAROL] = ["aa", "bb", "cc"].map((byte) => hex(byte.repeat(20)));
const SYSTEM = hex("deaddeaddeaddeaddeaddeaddeaddeaddead0001");

interface Deposit {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly mint: bigint | null;
  readonly value: bigint;
  readonly status: 0 | 1;
}

/** As op-geth answers since Ecotone: no signature, no gas price, `mint` only where coins are minted. */
const blockOf = (deposits: readonly Deposit[]): ReplayBlock => {
  const transactions = deposits.map(({ from, to, mint, value }, i) => ({
    ...{ type: "0x7e", from: `0x${from}`, to: `0x${to}`, value: quantity(value), input: "0x" },
    ...{ nonce: "0x0", gas: "0xf4240", gasPrice: "0x0", isSystemTx: false },
    sourceHash: `0x${(100 + i).toString(16).padStart(64, "0")}`,
    ...(mint === null ? {} : { mint: quantity(mint) }),
  }));
  const receipts = deposits.map(({ status }) => ({
    ...{ type: "0x7e", status: quantity(status), gasUsed: "0xb71b", effectiveGasPrice: "0x0" },
    ...{ contractAddress: null, logs: [], l1Fee: "0x0", depositNonce: "0x0", depositReceiptVersion: "0x1" },
  }));
  const header = {
    number: quantity(NUMBER),
    parentHash: WORD,
    timestamp: "0x66000000",
    stateRoot: WORD,
    mixHash: WORD,
  };
  const unused = { difficulty: "0x0", nonce: "0x0000000000000000", extraData: "0x", gasLimit: "0x1c9c380" };
  const later = { blobGasUsed: "0x0", excessBlobGas: "0x0", parentBeaconBlockRoot: WORD, withdrawals: [] };
  const rest = { miner: `0x${"42".repeat(20)}`, baseFeePerGas: "0x3b9aca00" };
  return sealed({ block: { ...header, ...unused, ...rest, ...later, transactions }, receipts });
};

test("deposits of an OP-stack block give balances that include what they minted", async () => {
  const block = blockOf([
    { from: SYSTEM, to: "4200000000000000000000000000000000000015", mint: null, value: 0n, status: 1 },
    { from: ALICE, to: BOB, mint: 5n * ETHER, value: 3n * ETHER, status: 1 },
    { from: CAROL, to: BOB, mint: 2n * ETHER, value: 9n * ETHER, status: 0 },
  ]);
  const replay = await startReplay({ blocks: [block], chain_id: optimism.chain_id, state: () => "0x" });
  const data_dir = await mkdtemp(join(tmpdir(), "assay-deposits-"));
  const range = { from_block: NUMBER, to_block: NUMBER, poll_ms: 1_000 };
  const service = await openService({
    settings: settings.parse({}),
    data_dir,
    networks: [{ network: optimism, rpc: [replay.url], ...range, venues: [], openings: "skip" }],
    ...{ surfaces: false, indexing: true, once: true, log: silentLog, examples: {} },
  });
  try {
    await service.indexed;
    const { facts } = service.facts;
    const snapshot = await facts.snapshot("optimism", null);
    const pairs = [ALICE, BOB, CAROL, SYSTEM].map((holder) => ({ token: "" as const, holder: holder ?? "" }));
    // Alice 5 - 3, Bob 3 (Carol's 9 failed), Carol her own 2, and the system account nothing.
    expect(await facts.balanceOf(snapshot, pairs)).toEqual([2n * ETHER, 3n * ETHER, 2n * ETHER, 0n]);
  } finally {
    await service.close();
    await replay.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
