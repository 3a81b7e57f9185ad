import { describe, expect, test } from "vitest";
import { rootOf } from "../../demo/tron/encode.ts";
import { type TronJson, transactionOf } from "../../demo/tron/shapes.ts";
import { toHex } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";
import { readContract } from "./contracts.ts";
import { readListed } from "./listed.ts";
import { ProtobufMessage } from "./protobuf.ts";
import { transactionsRoot } from "./root.ts";

/** The only transactions of blocks of a public or private java-tron network, with the root of the header. */
const REAL = [
  {
    block: "33801077 of a test network, 2023",
    root: "30fe6502e11e110fa389d5c17e1cf53fa8df93f26297d9f27cd8c07d3558d722",
    transaction: {
      txID: "31370141e3345421bdb92eff72f0d69aba8d04e636317ed52745d3f97e9faabb",
      signature: [
        "95874b4774ba56125dfd7bf2a99a0652d4abda98c6977e3f417852b7ea6f2b81ff2f260df473d186be9586b6bbeb74b5382d7f058593fd72fb60da5d0f77f77100",
      ],
      ret: [{ contractRet: "SUCCESS" }],
      raw_data_hex:
        "0a02c36222084ddf60f936a910d940f0add4a483315a8e01081f1289010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412540a1541fcf7ab2a2fb29362babd41647a22b223f7fbedec121541c3c5115bd3f5cfe5559c634eeb250f339ae3e29c222437383d0e00000000000000000000000000000000000000000000000000000188349354c970b8e0d0a48331900180a3c347",
    },
    read: {
      type: "TriggerSmartContract",
      sender: "fcf7ab2a2fb29362babd41647a22b223f7fbedec",
      recipient: "c3c5115bd3f5cfe5559c634eeb250f339ae3e29c",
      value: 0n,
      input: "37383d0e00000000000000000000000000000000000000000000000000000188349354c9",
    },
  },
  {
    block: "165 of a private network, java-tron 4.8.2",
    root: "c85f5050cb4a05c58222017f823191d5ae1ca07b7bd7f090f493a35c10f03491",
    transaction: {
      txID: "db8667ffea27109131fd5c113abcadd535c896590814a50dbf9eda253a8d19da",
      signature: [
        "755e1552868a1734c90c28dacb66e58f85eaa5fc2845593280e3b6ee1cf1b7af793cc378d8c3ad144542502270ab852095665abfffdea306200a9942a67e161401",
      ],
      ret: [{ contractRet: "SUCCESS" }],
      raw_data_hex:
        "0a0200a42208b0ef6ad98a02403e40b8e1e8d38f345a57083b12530a38747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e43616e63656c416c6c556e667265657a655632436f6e747261637412170a1541dcf2957055e8fcde477a077ecfeddf5ab235754770a1899cbf8f34",
    },
    read: {
      type: "CancelAllUnfreezeV2Contract",
      sender: "dcf2957055e8fcde477a077ecfeddf5ab2357547",
      recipient: "dcf2957055e8fcde477a077ecfeddf5ab2357547",
      value: 0n,
      input: "",
    },
  },
] as const;

test.each(REAL)(
  "block $block: the root is the header's, and the contract is read from the bytes",
  ({ root, transaction, read }) => {
    const listed = readListed(transaction);
    expect(toHex(transactionsRoot([listed]))).toBe(root);
    const { type, sender, recipient, value, input } = readContract(new ProtobufMessage(listed.raw), () => ({}));
    expect({ type, sender: toHex(sender), recipient: toHex(recipient ?? sender), value, input: toHex(input) }).toEqual(
      read,
    );
  },
);

const made = (count: number): readonly TronJson[] =>
  Array.from({ length: count }, (_, i) =>
    transactionOf(
      {
        type: "TransferContract",
        value: { owner_address: `41${"a1".repeat(20)}`, to_address: `41${"b0".repeat(20)}`, amount: i + 1 },
        time_ms: 1_700_000_000_000,
        seed: String(i).padEnd(64, "0"),
      },
      i % 3 === 2 ? "REVERT" : "SUCCESS",
    ),
  );

test.each([0, 1, 2, 3, 5, 6, 7, 9])("a block of %i transactions has the root of java-tron's tree", (count) => {
  const list = made(count);
  expect(toHex(transactionsRoot(list.map(readListed)))).toBe(rootOf(list).toString("hex"));
});

test("all fields of a result are part of the root, and an unknown one is rejected", () => {
  const [one] = made(1);
  const rootWith = (result: TronJson) => toHex(transactionsRoot([readListed({ ...one, ret: [result] })]));
  expect(rootWith({ contractRet: "SUCCESS", fee: 7 })).not.toBe(rootWith({ contractRet: "SUCCESS" }));
  // Members are in the order of their numbers, whatever the order in the answer.
  expect(rootWith({ contractRet: "SUCCESS", fee: 7 })).toBe(rootWith({ fee: 7, contractRet: "SUCCESS" }));
  expect(() => rootWith({ orderDetails: [] })).toThrow(BadAnswer);
  expect(() => rootWith({ contractRet: "constructor" })).toThrow(BadAnswer);
});

describe("messages", () => {
  test("a repeated field counts as the format requires: the last number, and messages merged", () => {
    // 08 01, 08 02: field 1 twice; 12 02 08 05 and 12 02 10 06: field 2 with {1: 5}, then with {2: 6}.
    const message = new ProtobufMessage(Buffer.from("080108021202080512021006", "hex"));
    expect(message.integer(1)).toBe(2n);
    expect([message.message(2).integer(1), message.message(2).integer(2)]).toEqual([5n, 6n]);
    // Ten bytes of ones are -1.
    expect(new ProtobufMessage(Buffer.from("08ffffffffffffffffff01", "hex")).integer(1)).toBe(-1n);
    expect(new ProtobufMessage(Buffer.from("08ffffffffffffffff7f", "hex")).integer(1)).toBe(2n ** 63n - 1n);
  });

  test("no bytes make it throw anything but a bad answer", () => {
    for (const hex of ["08", "0a05", "0b", "0affffffffffffffffff01", "08ffffffffffffffffffff01", "0d01", "0901"])
      expect(() => new ProtobufMessage(Buffer.from(hex, "hex"))).toThrow(BadAnswer);
  });
});
