import { withNames } from "../../address/identity/parties.ts";
import { markIn } from "./marks.ts";
import type { NetworkRisk } from "./read.ts";

/**
 * The same with own names of who is on the ways of the money, the largest first: what somebody calls himself is shown, and
 * is no label that counts anywhere.
 */
export const withNamedPaths = async (network: NetworkRisk): Promise<NetworkRisk> => {
  const { scope, wallet, walk } = network;
  const met = [...new Set(walk.traced.trails.flatMap(({ path }) => path))].filter((address) => address !== wallet);
  const known = new Map(met.map((address) => [address, markIn(walk.marks, address).party] as const));
  const named = [...(await withNames(scope, known, met))].map(
    ([address, party]) => [address, { ...markIn(walk.marks, address), party }] as const,
  );
  return { ...network, walk: { ...walk, marks: new Map([...walk.marks, ...named]) } };
};
