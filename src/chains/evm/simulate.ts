/** Calls with state overrides, and simulated transactions (`eth_simulateV1`), in the format of nodes. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { ContractCall, Override, SimulatedBlock, SimulatedCall } from "../chain.ts";
import { BadAnswer, fieldsOf, listOf } from "../node/answer.ts";
import { countOf, dataOf, quantity } from "./wire.ts";

export const callParams = (call: ContractCall) => ({
  to: `0x${call.to}`,
  data: `0x${call.data}`,
  ...(call.from === undefined ? {} : { from: `0x${call.from}` }),
  ...(call.value === undefined ? {} : { value: `0x${call.value.toString(16)}` }),
  ...(call.gas === undefined ? {} : { gas: quantity(call.gas) }),
  ...(call.gas_price === undefined ? {} : { gasPrice: `0x${call.gas_price.toString(16)}` }),
});

/** The third parameter of `eth_call`, and `stateOverrides` of a simulated block. */
export const overrideParams = (overrides: readonly Override[]) =>
  Object.fromEntries(
    overrides.map(({ address, code, balance, storage }) => [
      `0x${address}`,
      {
        ...(code === undefined ? {} : { code: `0x${code}` }),
        ...(balance === undefined ? {} : { balance: `0x${balance.toString(16)}` }),
        ...(storage === undefined ? {} : { stateDiff: slotsOf(storage) }),
      },
    ]),
  );

const slotsOf = (storage: NonNullable<Override["storage"]>) =>
  Object.fromEntries(Object.entries(storage).map(([slot, value]) => [`0x${slot}`, `0x${value}`]));

/** Without validation: no nonces, and some nodes show no base fee to the called code. Signatures are never needed. */
export const simulateParams = (
  blocks: readonly SimulatedBlock[],
  at: number,
  validation = false,
): readonly unknown[] => [
  {
    blockStateCalls: blocks.map(({ number, time, overrides = [], producer, base_fee, calls }) => ({
      blockOverrides: {
        ...{ number: quantity(number), time: quantity(time) },
        ...(producer === undefined ? {} : { feeRecipient: `0x${producer}` }),
        ...(base_fee === undefined ? {} : { baseFeePerGas: `0x${base_fee.toString(16)}` }),
      },
      stateOverrides: overrideParams(overrides),
      calls: calls.map(callParams),
    })),
    validation,
  },
  quantity(at),
];

/** Results of the requested blocks; a node may fill in the blocks between them. */
export const simulatedBlocks = (result: unknown, blocks: readonly SimulatedBlock[]): SimulatedCall[][] => {
  const answered = new Map<number, readonly unknown[]>();
  for (const item of listOf(result, "played blocks")) {
    const fields = fieldsOf(item, "played block");
    answered.set(countOf(fields.number, "number of a played block"), listOf(fields.calls, "played calls"));
  }
  return blocks.map(({ number, calls }) => {
    const results = answered.get(number);
    if (results?.length !== calls.length) throw new BadAnswer("a played block lacks calls");
    return results.map(simulatedCall);
  });
};

const simulatedCall = (result: unknown): SimulatedCall => {
  const fields = fieldsOf(result, "played call");
  const gas_used = countOf(fields.gasUsed, "gas of a played call");
  const ok = countOf(fields.status, "status of a played call") === 1;
  return { ok, data: ok ? dataOf(fields.returnData, "result of a played call") : payloadOf(fields), gas_used };
};

/** Geth puts the payload of a revert into the error, anvil into the return data. */
const payloadOf = ({ error, returnData }: { readonly error?: unknown; readonly returnData?: unknown }): Bytes => {
  const said = typeof error === "object" && error !== null ? fieldsOf(error, "error of a played call").data : undefined;
  if (typeof said === "string" && said !== "0x") return dataOf(said, "revert payload");
  return typeof returnData === "string" ? dataOf(returnData, "revert payload") : EMPTY;
};
