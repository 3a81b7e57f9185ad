import type { TokenMetadata } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { faceIn, facesOf, type Place } from "./token_faces.ts";

/** The face of a token that is asked about. Null when the address answers like no token. Throws `UPSTREAM_UNAVAILABLE` when only a silent node could tell. */
export const readFace = async (place: Place, token: Hex) => {
  const face = faceIn(await facesOf(place, [token]), token);
  if (face.standard !== null) return { ...face, decimals: decimalsOf(face) };
  const [told] = await place.chain.tokenMetadata([token], place.signal);
  return told === undefined || told.standard === null ? null : { ...told, decimals: decimalsOf(told) };
};

/** Each piece of a collection is one of its kind. */
const isCollection = (standard: string | null): boolean => standard === "erc721" || standard === "erc1155";

/** Decimals of a token's amounts: collectibles are counted in pieces. */
export const decimalsOf = ({ standard, decimals }: Pick<TokenMetadata, "standard" | "decimals">): number | null =>
  isCollection(standard) ? 0 : decimals;

/** A token whose units are all alike. '' is a contract that is no token. */
export const isFungible = (standard: string): boolean => standard !== "" && !isCollection(standard);
