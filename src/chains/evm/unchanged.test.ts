import { expect, test } from "vitest";
import { type Hex, hex } from "../../lib/bytes.ts";
import { findUnchanged } from "./unchanged.ts";

const addressOf = (n: number) => hex(n.toString(16).padStart(40, "0"));
const [QUIET, NAMED, PAID] = [addressOf(1), addressOf(2), addressOf(3)];
const [SENT, CODED, EARLIER] = [addressOf(4), addressOf(5), addressOf(6)];
const signal = new AbortController().signal;

/** In block 15 one is paid and one sends; a log names one in block 15, and another one in block 8. */
const asked: string[] = [];
const parts = {
  past: {
    async named(addresses: readonly string[], { from, to }: { readonly from: number; readonly to: number }) {
      asked.push(`logs ${from}..${to} of ${addresses.length}`);
      return {
        named: [
          { address: NAMED, block: 15 },
          { address: EARLIER, block: 8 },
        ],
        requests: 4,
      };
    },
    async marksOfMany(list: readonly { readonly address: string; readonly kind: string; readonly block: number }[]) {
      for (const { address, kind, block } of list) asked.push(`${kind} ${Number(address)} ${block}`);
      return list.map(({ address, kind, block }) => {
        const happened = block >= 15 && address === (kind === "nonce" ? SENT : PAID);
        return happened ? 8n : 7n;
      });
    },
  },
  state: {
    codes: async (addresses: readonly string[]) => addresses.map((one) => new Uint8Array(one === CODED ? 1 : 0)),
  },
  // No node filters traces.
  filter: async () => null,
};

test("accounts without a log, a transaction and a payment in their blocks are unchanged", async () => {
  const accounts = [QUIET, NAMED, PAID, SENT, CODED].map((address) => ({ address, after: 10, mark: null }));
  const same = await findUnchanged(parts, { accounts, to: 20 }, signal);
  expect([...same]).toEqual([
    // Four searches of logs for all, then nonce and balance at both ends and the code.
    [QUIET, { mark: "7:7", is_proven: true, requests: 4 + 5 }],
    [CODED, { mark: "7:7", is_proven: false, requests: 5 }],
  ]);
});

test("of an account with code, filtered traces show payments that its states do not", async () => {
  const accounts = [QUIET, CODED].map((address) => ({ address, after: 10, mark: "7:7" }));
  const lookWith = async (blocks: readonly number[]) => {
    const filter = async (addresses: readonly Hex[]) => {
      expect(addresses).toEqual([CODED]);
      return { named: blocks.map((block) => ({ address: CODED, block })), requests: 2 };
    };
    return [...(await findUnchanged({ ...parts, filter }, { accounts, to: 20 }, signal))];
  };
  const quiet = [QUIET, { mark: "7:7", is_proven: true, requests: 4 + 2 + 3 }];
  expect(await lookWith([10])).toEqual([quiet, [CODED, { mark: "7:7", is_proven: true, requests: 3 }]]);
  expect(await lookWith([11])).toEqual([quiet]);
});

test("the blocks of each account count, and a state that is known is not read again", async () => {
  asked.length = 0;
  const accounts = [
    { address: EARLIER, after: 9, mark: "7:7" },
    { address: QUIET, after: 5, mark: "7:6" },
  ];
  const same = await findUnchanged(parts, { accounts, to: 20 }, signal);
  // The log of block 8 is not new; the second one had another balance.
  expect([...same]).toEqual([[EARLIER, { mark: "7:7", is_proven: true, requests: 4 + 3 }]]);
  expect(asked).toEqual(["logs 6..20 of 2", "nonce 6 20", "nonce 1 20", "balance 6 20", "balance 1 20"]);
});

test("a log that the node lacked at the look before is news, unless its block is known", async () => {
  const lookFor = (known: readonly number[]) => {
    const accounts = [{ address: EARLIER, after: 9, mark: "7:7", again: { after: 7, known } }];
    return findUnchanged(parts, { accounts, to: 20 }, signal);
  };
  expect((await lookFor([6])).size).toBe(0);
  expect((await lookFor([6, 8])).size).toBe(1);
});
