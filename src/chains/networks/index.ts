import type { Network } from "../chain.ts";
import { arbitrum } from "./arbitrum.ts";
import { arc } from "./arc.ts";
import { avalanche } from "./avalanche.ts";
import { base } from "./base.ts";
import { berachain } from "./berachain.ts";
import { blast } from "./blast.ts";
import { bsc } from "./bsc.ts";
import { celo } from "./celo.ts";
import { cronos } from "./cronos.ts";
import { demo } from "./demo.ts";
import { demoSolana } from "./demo_solana.ts";
import { demoTron } from "./demo_tron.ts";
import { ethereum } from "./ethereum.ts";
import { gnosis } from "./gnosis.ts";
import { hyperevm } from "./hyperevm.ts";
import { ink } from "./ink.ts";
import { katana } from "./katana.ts";
import { linea } from "./linea.ts";
import { mantle } from "./mantle.ts";
import { megaeth } from "./megaeth.ts";
import { monad } from "./monad.ts";
import { optimism } from "./optimism.ts";
import { plasma } from "./plasma.ts";
import { polygon } from "./polygon.ts";
import { robinhood } from "./robinhood.ts";
import { scroll } from "./scroll.ts";
import { solana } from "./solana.ts";
import { soneium } from "./soneium.ts";
import { sonic } from "./sonic.ts";
import { tempo } from "./tempo.ts";
import { tron } from "./tron.ts";
import { unichain } from "./unichain.ts";
import { worldchain } from "./worldchain.ts";
import { xlayer } from "./xlayer.ts";
import { zksync } from "./zksync.ts";

/** Every network known by name, in the order in which they are listed to people. */
export const NETWORKS: readonly Network[] = [
  ethereum,
  bsc,
  base,
  arbitrum,
  optimism,
  polygon,
  avalanche,
  linea,
  scroll,
  blast,
  zksync,
  mantle,
  sonic,
  unichain,
  worldchain,
  gnosis,
  celo,
  ink,
  soneium,
  monad,
  berachain,
  hyperevm,
  plasma,
  xlayer,
  megaeth,
  robinhood,
  arc,
  tempo,
  katana,
  cronos,
  solana,
  tron,
  demo,
  demoSolana,
  demoTron,
];

const BY_ID: ReadonlyMap<string, Network> = new Map(NETWORKS.map((network) => [network.id, network]));

/** The known network of that id, or null. */
export const networkById = (id: string): Network | null => BY_ID.get(id) ?? null;
