/** Texts of blocks and receipts as any network of the family may send them: fields of all forks, some missing, in any order. */

/** Whole numbers below `limit`. */
export type DrawBelow = (limit: number) => number;

/** A linear congruential generator (Numerical Recipes). */
export const drawing = (seed: number): DrawBelow => {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
};

const DIGITS = "0123456789abcdefABCDEF";
const BLANKS = ["", "", "", " ", "\n", "\t\r\n  "];
/** Values of fields that no code reads. */
const ODD = [
  ...["null", "true", "false", "0", "-1.5e+3", "1e999", '"\\u0041\\n\\"]}"', "{}", "[]", '"\u00e9\ud83d\ude00"', '""'],
  ...['[{"a":[1,{"b":"]"}]},"x"]', '{"hash":"0x1","logs":[{"data":"0x"}]}', "9007199254740993", '"\\\\"', '"\\/"'],
];
const UNREAD = [
  "uncles",
  "size",
  "totalDifficulty",
  "l1BatchNumber",
  "yParity",

  "hashes",
  "x".repeat(40),
];

type JsonMember = readonly [name: string, value: string];

export const randomBlock = (draw: DrawBelow) => {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[draw(list.length)];
    if (one === undefined) throw new RangeError("nothing to pick");
    return one;
  };
  const hex = (bytes: number): string =>
    `"0x${Array.from({ length: 2 * bytes }, () => DIGITS.charAt(draw(DIGITS.length))).join("")}"`;
  const quantity = (): string =>
    `"0x${pick(["0", "00", "1", "7f", "80", "ffffffff", "20000000000001", "f".repeat(64)])}"`;
  const blank = (): string => pick(BLANKS);
  const list = (items: readonly string[]): string => `[${blank()}${items.join(`${blank()},${blank()}`)}${blank()}]`;
  const object = (members: readonly JsonMember[]): string => {
    const unread = Array.from({ length: draw(3) }, (_, i): JsonMember => [`${pick(UNREAD)}${i}`, pick(ODD)]);
    const all = [...members, ...unread].map((member) => [draw(1_000), member] as const);
    const texts = all.sort(([a], [b]) => a - b).map(([, [name, value]]) => `"${name}"${blank()}:${blank()}${value}`);
    return `{${blank()}${texts.join(`${blank()},${blank()}`)}${blank()}}`;
  };
  /** Fields that may be missing or null. */
  const optional = (...members: readonly JsonMember[]): JsonMember[] =>
    members.filter(() => draw(3) > 0).map(([name, value]) => [name, draw(6) === 0 ? "null" : value]);
  const [block_hash, number] = [hex(32), `"0x${draw(1_000_000).toString(16)}"`];

  const log = (repeated: readonly JsonMember[], index: number): string => {
    const told = draw(8) === 0 ? repeated.slice(0, 1 + draw(3)) : repeated;
    const topics = list(Array.from({ length: draw(5) }, () => hex(32)));
    const place: JsonMember = ["logIndex", `"0x${draw(4) === 0 ? "000" : ""}${index.toString(16)}"`];
    const own: JsonMember[] = [
      ["address", hex(20)],
      ["topics", topics],
      ["data", hex(pick([0, 1, 31, 32, 64, 100]))],
      place,
    ];
    return object([...told, ...own, ...optional(["removed", "false"], ["blockTimestamp", quantity()])]);
  };
  const transaction = (hash: string, index: number): string =>
    object([
      ...([
        ["hash", hash],
        ["blockHash", block_hash],
        ["blockNumber", number],
        ["transactionIndex", `"0x${index}"`],
      ] as const),
      ...([
        ["from", hex(20)],
        ["value", quantity()],
        ["nonce", quantity()],
        ["gas", quantity()],
      ] as const),
      ["to", pick([hex(20), "null", '""', '"0x"'])],
      [pick(["input", "data"]), hex(pick([0, 4, 33, 200]))],
      ...optional(["type", pick(['"0x0"', '"0x2"', '"0x3"', '"0x7e"', '"0x69"'])], ["gasPrice", quantity()]),
      ...optional(["maxFeePerGas", quantity()], ["maxPriorityFeePerGas", quantity()], ["mint", quantity()]),
      ...optional(["blobVersionedHashes", list([hex(32), hex(32)])], ["maxFeePerBlobGas", quantity()]),
      ...optional(["feeCurrency", hex(20)], ["requestId", hex(32)], ["retryData", hex(7)], ["refundTo", hex(20)]),
      ...optional([
        "accessList",
        list([
          object([
            ["address", hex(20)],
            ["storageKeys", list([hex(32)])],
          ]),
        ]),
      ]),
    ]);
  const hashes = Array.from({ length: draw(5) }, () => hex(32));
  let logs = 0;
  const receipts = hashes.map((hash, index) => {
    const repeated: JsonMember[] = [
      ["transactionHash", hash],
      ["blockHash", block_hash],
      ["blockNumber", number],
    ];
    repeated.push(["transactionIndex", `"0x${index}"`]);
    const own = Array.from({ length: draw(4) }, () => log(repeated, logs++));
    return object([
      ...repeated,
      ["logs", list(own)],
      ["gasUsed", quantity()],
      ...optional(["status", pick(['"0x0"', '"0x1"'])], ["logsBloom", hex(256)], ["effectiveGasPrice", quantity()]),
      ...optional(["cumulativeGasUsed", quantity()], ["contractAddress", hex(20)], ["l1Fee", quantity()]),
      ...optional(["blobGasUsed", quantity()], ["blobGasPrice", quantity()], ["depositNonce", quantity()]),
      ...optional(["operatorFeeScalar", quantity()], ["operatorFeeConstant", quantity()]),
    ]);
  });
  const withdrawals = list([
    object([
      ["address", hex(20)],
      ["amount", quantity()],
      ["index", quantity()],
    ]),
  ]);
  const block = object([
    ...([
      ["number", number],
      ["hash", block_hash],
      ["parentHash", hex(32)],
      ["timestamp", quantity()],
    ] as const),
    ["transactions", list(hashes.map(transaction))],
    ...optional(["miner", hex(20)], ["author", hex(20)], ["logsBloom", hex(256)], ["baseFeePerGas", quantity()]),
    ...optional(["mixHash", hex(32)], ["extraData", hex(97)], ["withdrawals", withdrawals], ["gasUsed", quantity()]),
  ]);
  return `${blank()}[{"id":1,"result":${block}},${blank()}{"result":${list(receipts)},"jsonrpc":"2.0","id":2}]${blank()}`;
};
