import type { Hex } from "../../lib/bytes.ts";
import type { Label } from "../source.ts";
import type { ImportScope } from "./parsed.ts";

/** Two rows with one key say the same thing of an address. */
export const labelKey = ({ network, address, label }: Label): string => `${network}:${address}:${label}`;

interface LabelPlace {
  readonly network: string;
  readonly address: Hex;
}

/** Where a row belongs: its own network, or those of the import when it names none. A sentence when it belongs nowhere. */
export const placesOf = (
  { address, network }: { readonly address: string; readonly network: string },
  scope: ImportScope,
): readonly LabelPlace[] | string => {
  if (address === "") return "no address";
  const wanted = network === "" ? scope.default_networks : network === "evm" ? scope.enabled_evm : [network];
  if (wanted.length === 0) return "no network: name one in the row or with --network";
  const places: LabelPlace[] = [];
  for (const id of wanted) {
    const known = scope.networks.get(id);
    if (known === undefined) return `network ${id} is not known`;
    const parsed = scope.parseAddress(known.family, address);
    if (parsed === null) return "not an address of its network, or its checksum is wrong";
    places.push({ network: id, address: parsed });
  }
  return places;
};
