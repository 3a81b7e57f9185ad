import type { Chain } from "../../chains/chain.ts";
import type { NameEntry } from "../../domain/address/names/every_name.ts";
import { iso } from "../../lib/time.ts";
import type { NameOutput } from "./shape.ts";

type EveryRow = NonNullable<NameOutput["all"]>[number];

const STATUS = {
  none: "unavailable", // everyName leaves it out
  disabled: "offchain_disabled",
  silent: "gateway_silent",
  unavailable: "unavailable",
} as const;

const UNREAD = {
  ...{ address: null, addresses: null, owner: null, expires_at: null, resolver: null, avatar: null },
  ...{ contenthash: null, via_ccip: null },
} as const;

/** A name in one service, as it is shown. `chain` has the address format of the service. */
export const everyEntry = (
  { name, service, network, resolution, is_primary }: NameEntry,
  chain: Pick<Chain, "formatAddress">,
): EveryRow => {
  const here = { name, service, network, is_primary };
  if (resolution.kind !== "found") return { ...here, status: STATUS[resolution.kind], ...UNREAD };
  const { address, addresses, owner, expires_at, resolver, avatar, contenthash, via_ccip } = resolution;
  return {
    ...here,
    status: "found",
    address: chain.formatAddress(address),
    addresses: { ...addresses },
    owner: owner === null ? null : chain.formatAddress(owner),
    expires_at: expires_at === null ? null : iso(expires_at),
    resolver: resolver === null ? null : chain.formatAddress(resolver),
    avatar,
    contenthash: contenthash === null ? null : `0x${contenthash}`,
    via_ccip,
  };
};
