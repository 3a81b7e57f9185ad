/** A block with every kind of Ethereum transaction, sealed with valid roots. */
import { type Signer, sealed, signed, signerOf } from "../bench/replay/sealed.ts";
import type { ReplayBlock } from "../bench/replay/server.ts";

const WORD = `0x${"5a".repeat(32)}`;
const TOKEN = `0x${"70".repeat(20)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const CHAIN_ID = 1;
/** 1 gwei, with a tip of 0.1 below a cap of 2. */
const BASE_FEE = "0x3b9aca00";
const PRICE = "0x4190ab00";
const CAPS = { maxPriorityFeePerGas: "0x5f5e100", maxFeePerGas: "0x77359400", gasPrice: PRICE };
/** June 2024. */
const TIME = 1_718_000_000;

export const ALICE: Signer = signerOf("alice");
export const BOB: Signer = signerOf("bob");

const topic = (address: string): string => `0x${"0".repeat(24)}${address.slice(2)}`;
const transfer = (from: string, to: string, amount: number) => ({
  address: TOKEN,
  topics: [TRANSFER, topic(from), topic(to)],
  data: `0x${amount.toString(16).padStart(64, "0")}`,
});

const CALL = { to: TOKEN, value: "0x0", input: "0xa9059cbb", nonce: "0x1", chainId: "0x1" };

export interface BlockOptions {
  readonly number: number;
  readonly parent_hash: string;
  /** Address of the contract that the fourth transaction creates: worked out by the test that needs it. */
  readonly created: string | null;
}

const transactions = ({ number, created }: BlockOptions) => {
  // No two blocks have the same transaction.
  const gas = `0x${(200_000 + (number % 1_000)).toString(16)}`;
  const send = <T extends { readonly type: string }>(transaction: T, signer: Signer) =>
    signed({ ...CALL, gas, ...transaction }, signer, { chain_id: CHAIN_ID, place: number });
  const access = [
    { address: TOKEN, storageKeys: [WORD, WORD] },
    { address: BOB.address, storageKeys: [] },
  ];
  const authorization = { chainId: "0x1", address: TOKEN, nonce: "0x7", yParity: "0x1", r: WORD, s: "0x5a" };
  const logs = [transfer(ALICE.address, BOB.address, 5), transfer(BOB.address, ALICE.address, 9)];
  return [
    {
      of: send({ type: "0x0", gasPrice: PRICE, to: BOB.address, value: "0xde0b6b3a7640000", input: "0x" }, ALICE),
      logs: [],
    },
    { of: send({ type: "0x1", gasPrice: PRICE, accessList: access }, BOB), logs },
    { of: send({ type: "0x2", ...CAPS, accessList: [] }, ALICE), logs: [transfer(BOB.address, TOKEN, 11)] },
    {
      of: send({ type: "0x2", ...CAPS, accessList: [], nonce: "0x5", to: null, input: "0x6000" }, ALICE),
      logs: [],
      created,
    },
    {
      of: send(
        { type: "0x3", ...CAPS, accessList: [], maxFeePerBlobGas: "0x64", blobVersionedHashes: [WORD, WORD] },
        BOB,
      ),
      logs: [],
      more: { blobGasUsed: "0x40000", blobGasPrice: "0x1" },
    },
    {
      of: send({ type: "0x4", ...CAPS, accessList: access, authorizationList: [authorization] }, BOB),
      logs,
      status: "0x0",
    },
  ];
};

export const evmBlock = (wanted: BlockOptions): ReplayBlock => {
  const { number, parent_hash } = wanted;
  const parts = transactions(wanted);
  const receipts = parts.map(({ of, ...rest }) => ({
    from: of.from,
    to: of.to,
    type: of.type,
    status: "status" in rest ? rest.status : "0x1",
    gasUsed: "0xc350",
    effectiveGasPrice: PRICE,
    contractAddress: "created" in rest ? rest.created : null,
    // A failed transaction leaves no logs.
    logs: "status" in rest ? [] : rest.logs,
    ...("more" in rest ? rest.more : {}),
  }));
  const header = {
    number: `0x${number.toString(16)}`,
    parentHash: parent_hash,
    timestamp: `0x${(TIME + number).toString(16)}`,
    ...{ miner: BOB.address, stateRoot: WORD, mixHash: WORD, nonce: "0x0000000000000000", extraData: "0x6173736179" },
    ...{ difficulty: "0x0", gasLimit: "0x1c9c380", baseFeePerGas: BASE_FEE, uncles: [] },
    withdrawals: [
      { index: "0x10", validatorIndex: "0x20", address: ALICE.address, amount: "0x1196b2a" },
      { index: "0x11", validatorIndex: "0x21", address: BOB.address, amount: "0x1" },
    ],
    ...{ blobGasUsed: "0x40000", excessBlobGas: "0x0", parentBeaconBlockRoot: WORD, requestsHash: WORD },
  };
  return sealed({ block: { ...header, transactions: parts.map(({ of }) => of) }, receipts });
};
