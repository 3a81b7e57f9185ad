/** Whether a node supports state overrides in read-only calls, and simulated transactions. */

import { hex } from "../../lib/bytes.ts";
import { fieldsOf } from "../node/answer.ts";
import type { RpcAnswer } from "../node/json_rpc.ts";
import { simulateParams } from "./simulate.ts";
import { countOf, quantity } from "./wire.ts";

type SimulationProbe = (method: string, ...params: unknown[]) => Promise<RpcAnswer>;

/** An unused account: it has the code during the call only. */
const STAGE = hex("00000000000000000000000000000000000a55a1");
const PLAYER = hex("00000000000000000000000000000000000a55a2");

const wordText = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;

/** SELFBALANCE SLOAD PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN: the slot whose number is the account's balance. */
const SLOT_OF_BALANCE = "475460005260206000f3";
const BALANCE = 0x2a;
const IN_SLOT = 0x07;

/** True if a call sees replaced code, balance and storage, all three. A node that ignores them returns nothing. */
export const canOverride = async (ask: SimulationProbe): Promise<boolean> => {
  const override = {
    code: `0x${SLOT_OF_BALANCE}`,
    balance: quantity(BALANCE),
    stateDiff: { [wordText(BALANCE)]: wordText(IN_SLOT) },
  };
  const answer = await ask("eth_call", { to: `0x${STAGE}`, data: "0x" }, "latest", { [`0x${STAGE}`]: override });
  return answer.ok && answer.result === wordText(IN_SLOT);
};

/** SLOAD(0) + 1 -> SSTORE(0); returns that value and the block's number. */
const COUNTER = hex("600054600101806000556000524360205260406000f3");
/**
 * Blocks ahead to try: 30 days of Ethereum, which nodes without a limit reach, then the least that simulations of tokens
 * want, then the limit of geth (maxSimulateBlocks 256, the first one included).
 */
const REACHES = [216_000, 301, 255];
/** Seconds that geth puts between the blocks it fills in. */
const SECONDS = 12;

/** The farthest block in which a simulation sees a value that its first block wrote; 0 if none does. */
export const simulatableBlocks = async (ask: SimulationProbe, head: number): Promise<number> => {
  const newest = await ask("eth_getBlockByNumber", quantity(head), false);
  if (!newest.ok || newest.result === null) return 0;
  const time = countOf(fieldsOf(newest.result, "newest block").timestamp, "time of the newest block");
  const call = { from: PLAYER, to: STAGE, data: "" } as const;
  for (const reach of REACHES) {
    const last = head + reach;
    const blocks = [
      { number: head + 1, time: time + SECONDS, overrides: [{ address: STAGE, code: COUNTER }], calls: [call] },
      { number: last, time: time + SECONDS * reach, calls: [call] },
    ];
    const answer = await ask("eth_simulateV1", ...simulateParams(blocks, head));
    if (answer.ok && isCounted(answer.result, last)) return reach;
  }
  return 0;
};

/** The last block has counted to two, and knows its number. */
const isCounted = (result: unknown, last: number): boolean =>
  JSON.stringify(result).includes(wordText(2).slice(2) + wordText(last).slice(2));
