import { CHARACTERS, DEMO_CONTRACTS } from "./evm/characters.ts";
import { CHARACTERS as ON_SOLANA } from "./solana/characters.ts";
import type { SolanaWorld } from "./solana/world.ts";

/** A person or contract of a demo, a subject for questions. */
export interface DemoActor {
  readonly network: string;
  readonly who: string;
  /** In the network's own format. */
  readonly address: string;
  readonly role: string;
}

export const evmActors = (): readonly DemoActor[] => {
  const network = "demo";
  return [
    ...Object.entries(CHARACTERS).map(([who, { address, role }]) => ({ network, who, address, role })),
    ...Object.entries(DEMO_CONTRACTS).map(([who, address]) => ({ network, who, address, role: "contract" })),
  ];
};

export const solanaActors = ({
  characters,
  mints,
}: Pick<SolanaWorld, "characters" | "mints">): readonly DemoActor[] => {
  const network = "demo-solana";
  return [
    ...Object.entries(characters).map(([who, address]) => {
      const { role } = ON_SOLANA[who as keyof typeof ON_SOLANA]; // the same names
      return { network, who, address, role };
    }),
    { network, who: "usdc", address: mints.usdc, role: "mint of the first token program: trent's dollars" },
    {
      network,
      who: "lamp",
      address: mints.lamp,
      role: "mint of Token-2022: dave's Lantern, two and a half percent stay behind",
    },
  ];
};

const PLAYING = ["bank", "alice", "bob", "carol", "dave", "erin", "frank", "peggy", "exchange", "trent"] as const;
const PLAYING_TOO = ["mallory", "victor", "ivan", "nina", "oscar"] as const;
const ROLES_ON_TRON: Readonly<Record<string, string>> = {
  alice: "trader: TRX, dollars, Beacon; issues the TRC-10 token Lantern Oil, stakes, votes",
  bob: "saver; is robbed of a part of his dollars",
  carol: "is paid in TRX and dollars by turns",
  dave: "developer of the token Beacon, of which he can make more",
  erin: "wraps and unwraps TRX",
  peggy: "treasury: pays five salaries every week",
  mallory: "thief; her dollars are frozen",
  ivan: "is paid by the thief before she is frozen",
  nina: "pays the exchange every day at the same hour",
  oscar: "deploys the infrastructure",
};
const CONTRACTS_ON_TRON = [
  ["usdt", "contract: trent's dollars, Tether style"],
  ["beacon", "contract: dave's Beacon"],
  ["sunswap", "contract: factory of pools, TRX and Beacon against dollars"],
] as const;

/** @param addressOf maps a name to its address in the network's format. */
export const tronActors = (addressOf: (name: string) => string): readonly DemoActor[] =>
  [
    ...[...PLAYING, ...PLAYING_TOO].map((who) => [who, ROLES_ON_TRON[who] ?? CHARACTERS[who].role] as const),
    ...CONTRACTS_ON_TRON,
  ].map(([who, role]) => ({ network: "demo-tron", who, address: addressOf(who), role }));
