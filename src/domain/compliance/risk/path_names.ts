import { withNames } from "../../address/identity/parties.ts";
import { addressRiskIn } from "./address_risks.ts";
import type { NetworkRisk } from "./read.ts";

/**
 * The same with own names of the addresses on the money's paths, the largest first: a self-chosen name is shown, and
 * never counts as a label.
 */
export const withPathNames = async (network: NetworkRisk): Promise<NetworkRisk> => {
  const { scope, wallet, walk } = network;
  const met = [...new Set([...walk.traced.trails, ...walk.ends].flatMap(({ path }) => path))].filter(
    (address) => address !== wallet,
  );
  const known = new Map(met.map((address) => [address, addressRiskIn(walk.marks, address).party] as const));
  const named = [...(await withNames(scope, known, met))].map(
    ([address, party]) => [address, { ...addressRiskIn(walk.marks, address), party }] as const,
  );
  return { ...network, walk: { ...walk, marks: new Map([...walk.marks, ...named]) } };
};
