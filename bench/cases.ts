/** Arguments of tools on the enlarged demo world (blown_up.ts). */
import { ADDRESSES, DEMO_CONTRACTS } from "../src/demo/evm/characters.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { BULK_TOKENS, BULK_WALLETS } from "./blown_up.ts";
import type { CallArguments } from "./calls.ts";

/** Wallets besides the example of the card. */
const WALLETS = { ...BULK_WALLETS, alice: ADDRESSES.alice };
const TOKENS = { usdc: DEMO_CONTRACTS.usdc, harbor: DEMO_CONTRACTS.harbor };
const MADE_TOKENS = BULK_TOKENS;
const CONTRACTS = { usdc: DEMO_CONTRACTS.usdc, orchard: DEMO_CONTRACTS.orchard };
/** These read the contract itself, which generated tokens do not have. */
const READS_CODE = [
  "get_token_info",
  "get_token_risk_traits",
  "get_token_holders_traders",
  "get_token_market_analysis",
  "analyze_token_developer",
  "analyze_token_website",
];

export interface BenchCase {
  readonly of: string;
  readonly args: CallArguments;
}

const subjectsOf = ({ name, input }: AnyTool): readonly [string, Readonly<Record<string, string>>] | null => {
  const takes = (field: string): boolean => field in input.shape;
  if (takes("wallet_address")) return ["wallet_address", WALLETS];
  if (takes("contract_address")) return ["contract_address", CONTRACTS];
  if (takes("address")) return ["address", WALLETS];
  if (!takes("token_address")) return null;
  return ["token_address", READS_CODE.includes(name) ? TOKENS : { ...TOKENS, ...MADE_TOKENS }];
};

/** The example of a tool's card, and wallets, tokens and contracts of different sizes. */
export const casesOf = (tool: AnyTool): readonly BenchCase[] => {
  const example: BenchCase = { of: "example", args: tool.example };
  const subjects = subjectsOf(tool);
  if (subjects === null) return [example];
  const [field, of] = subjects;
  const generated = Object.entries(of).map(([name, address]) => ({
    of: name,
    args: {
      ...tool.example,
      ...("timeframe" in tool.input.shape ? { timeframe: "7d" } : {}),
      [field]: address.startsWith("0x") ? address : `0x${address}`,
    },
  }));
  return [example, ...generated];
};
