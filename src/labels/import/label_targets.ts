import type { Hex } from "../../lib/bytes.ts";
import { EVERY_EVM } from "../../lib/every_evm.ts";
import type { Label } from "../source.ts";
import type { ImportScope } from "./parsed_list.ts";

/** Two rows with one key state the same fact about an address. */
export const labelKey = ({ network, address, label }: Label): string => `${network}:${address}:${label}`;

interface LabelTarget {
  readonly network: string;
  readonly address: Hex;
}

/**
 * The networks of a row: its own, or those of the import when it names none; `evm` means every EVM network. Returns a
 * sentence when the row has no network.
 */
export const targetsOf = (
  { address, network }: { readonly address: string; readonly network: string },
  scope: ImportScope,
): readonly LabelTarget[] | string => {
  if (address === "") return "no address";
  const wanted = network === "" ? scope.default_networks : [network];
  if (wanted.length === 0) return "no network: name one in the row or with --network";
  const places: LabelTarget[] = [];
  for (const id of wanted) {
    const family = id === EVERY_EVM ? "evm" : scope.networks.get(id)?.family;
    if (family === undefined) return `network ${id} is not known`;
    const parsed = scope.parseAddress(family, address);
    if (parsed === null) return "not an address of its network, or its checksum is wrong";
    places.push({ network: id, address: parsed });
  }
  return places;
};
