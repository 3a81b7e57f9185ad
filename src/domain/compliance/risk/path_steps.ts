/** Steps of the money's paths, as published. */
import { iso } from "../../../lib/time.ts";
import { shownParty } from "../../address/identity/parties.ts";
import { addressRiskIn } from "./address_risks.ts";
import type { EndFinding, PathStep } from "./report.ts";
import type { ExposureDirection } from "./score.ts";
import type { HashedEnd, HashedTrail, TracedNetwork } from "./traced_network.ts";

type ShownPath = Pick<HashedTrail, "direction" | "path" | "tx_hashes" | "steps">;

/** The path without the wallet, each address with the transaction that leads on towards (or from) it. */
export const stepsIn = (
  { scope: { chain }, walk: { marks } }: TracedNetwork,
  { direction, path, tx_hashes, steps }: ShownPath,
): PathStep[] =>
  (direction === "in" ? path.slice(0, -1) : path.slice(1)).map((address, i) => ({
    address: chain.formatAddress(address),
    ...shownParty(addressRiskIn(marks, address).party),
    network: chain.network.id,
    tx_hash: chain.formatHash(tx_hashes[i] ?? ""),
    time: iso(steps[i]?.time ?? 0),
    paid: (steps[i]?.payments ?? []).map(({ token, symbol, amount, usd }) => ({
      token: token === "" ? null : chain.formatAddress(token),
      ...{ symbol, amount, usd },
    })),
  }));

/** A network with the ends of its trace. */
interface EndedNetwork {
  readonly scope: TracedNetwork["scope"];
  readonly walk: TracedNetwork["walk"] & { readonly ends: readonly HashedEnd[] };
}

/** Percent of a whole; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(100, (100 * part) / whole);

const keyOf = ({ direction, reason, network, path }: EndFinding): string =>
  `${direction}:${reason}:${network}:${path.map(({ address }) => address).join(">")}`;

/** Where the money came from and went to without a category of risk, over all networks, the most value first. */
export const endsOf = (
  networks: readonly EndedNetwork[],
  totals: Readonly<Record<ExposureDirection, number>>,
): readonly EndFinding[] =>
  networks
    .flatMap((from) =>
      from.walk.ends.map(
        (end): EndFinding => ({
          address: from.scope.chain.formatAddress(end.source),
          ...shownParty(addressRiskIn(from.walk.marks, end.source).party),
          network: from.scope.chain.network.id,
          ...{ direction: end.direction, reason: end.reason, usd: end.usd },
          share_percent: percentOf(end.usd, totals[end.direction]),
          hops: end.hops,
          path: stepsIn(from, end),
        }),
      ),
    )
    .sort((a, b) => b.usd - a.usd || (keyOf(a) < keyOf(b) ? -1 : 1));
