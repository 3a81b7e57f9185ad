import type { Network } from "../chain.ts";
import { demo } from "./demo.ts";
import { demoSolana } from "./demo_solana.ts";
import { demoTron } from "./demo_tron.ts";
import { KNOWN } from "./known.gen.ts";

/** Users see networks in this order; networks that are not named here come between the two. */
const FIRST: readonly string[] = [
  "ethereum",
  "bsc",
  "base",
  "arbitrum",
  "optimism",
  "polygon",
  "avalanche",
  "linea",
  "scroll",
  "blast",
  "zksync",
  "mantle",
  "sonic",
  "unichain",
  "worldchain",
  "gnosis",
  "celo",
  "ink",
  "soneium",
  "monad",
  "berachain",
  "hyperevm",
  "plasma",
  "xlayer",
  "megaeth",
  "robinhood",
  "arc",
  "tempo",
  "katana",
  "cronos",
];
const LAST: readonly string[] = ["solana", "tron", "demo", "demo-solana", "demo-tron"];

const listPosition = ({ id }: Network): number => {
  const [first, last] = [FIRST.indexOf(id), LAST.indexOf(id)];
  if (last >= 0) return FIRST.length + 1 + last;
  return first >= 0 ? first : FIRST.length;
};

/** Every network known by name, in the order in which users see them. */
export const NETWORKS: readonly Network[] = [...KNOWN, demo, demoSolana, demoTron].sort(
  (a, b) => listPosition(a) - listPosition(b),
);

const BY_ID: ReadonlyMap<string, Network> = new Map(NETWORKS.map((network) => [network.id, network]));

/** The known network of that id, or null. */
export const networkById = (id: string): Network | null => BY_ID.get(id) ?? null;
