import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { CallContext } from "../../context.ts";
import { type NameService, nameServicesFor, pinNameService, type ServiceId, serviceOf } from "./enabled_services.ts";
import { type OwnNames, type Resolution, resolveAt } from "./resolve.ts";

/** A name in one service. `unavailable`: no node of the network answered. */
export interface NameEntry {
  readonly name: string;
  readonly service: ServiceId;
  readonly network: string;
  readonly resolution: Resolution | { readonly kind: "unavailable" };
  /** It is the primary name that the requested address has in this service. */
  readonly is_primary: boolean;
}

interface NamePlace {
  readonly name: string;
  readonly door: NameService;
}

const resolveIn = async ({ name, door }: NamePlace, context: CallContext): Promise<NameEntry["resolution"]> => {
  try {
    return await resolveAt(await pinNameService(door, context), name, context);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return { kind: "unavailable" };
    throw error;
  }
};

const isSamePlace = (one: NamePlace, other: NamePlace): boolean =>
  one.name === other.name && serviceOf(one.door) === serviceOf(other.door) && one.door.chain === other.door.chain;

/**
 * A name in every service that may keep it, and every primary name of its address, each resolved by its own service.
 * `name` is null when only an address is known. Services that do not have the name are absent.
 */
export const everyName = async (
  {
    name,
    own,
    doors,
  }: { readonly name: string | null; readonly own: OwnNames; readonly doors: readonly NameService[] },
  context: CallContext,
): Promise<readonly NameEntry[]> => {
  const homes = name === null ? [] : nameServicesFor(name, doors).map((door): NamePlace => ({ name, door }));
  const places = [...homes, ...own.names.filter((one) => !homes.some((home) => isSamePlace(home, one)))];
  const entries = await Promise.all(
    places.map(async (place): Promise<NameEntry> => {
      return {
        name: place.name,
        service: serviceOf(place.door),
        network: place.door.chain.network.id,
        resolution: await resolveIn(place, context),
        is_primary: own.names.some((one) => isSamePlace(one, place)),
      };
    }),
  );
  return entries.filter(({ resolution }) => resolution.kind !== "none");
};

/** True when services resolve one name to different addresses. */
export const disagree = (entries: readonly NameEntry[], name: string): boolean => {
  const led = new Set<Hex>();
  for (const entry of entries)
    if (entry.name === name && entry.resolution.kind === "found") led.add(entry.resolution.address);
  return led.size > 1;
};
