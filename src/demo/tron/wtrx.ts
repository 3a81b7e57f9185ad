import { theirs } from "../evm/artifacts.ts";
import { type HexText, quantity } from "../evm/rpc.ts";
import type { EvmScenarioChain } from "../evm/scenario_chain.ts";

/** A short text as Solidity stores it: left-aligned in the word, twice its length in the last byte. */
const shortText = (text: string): HexText =>
  `0x${Buffer.from(text).toString("hex").padEnd(62, "0")}${(2 * text.length).toString(16).padStart(2, "0")}`;

/** WTRX is WETH9 with its own name, symbol and decimals, which are in its first three slots. */
export const createWtrx = async (stage: EvmScenarioChain, from: string): Promise<void> => {
  await stage.create("wtrx", { from, code: theirs("WETH9") });
  const words = [shortText("Wrapped TRX"), shortText("WTRX"), `0x${"6".padStart(64, "0")}`];
  for (const [slot, word] of words.entries())
    await stage.rpc.call("anvil_setStorageAt", stage.address("wtrx"), quantity(BigInt(slot)), word);
};
