import type { Hex } from "../lib/bytes.ts";
import { faceIn, facesOf, type Place } from "./token_faces.ts";

/** The face of a token that is asked about. Null when the address answers like no token. Throws `UPSTREAM_UNAVAILABLE` when only a silent node could tell. */
export const readFace = async (place: Place, token: Hex) => {
  const face = faceIn(await facesOf(place, [token]), token);
  if (face.standard !== null) return { ...face, decimals: pieces(face) };
  const [told] = await place.chain.tokenMetadata([token], place.signal);
  return told === undefined || told.standard === null ? null : { ...told, decimals: pieces(told) };
};

/** Collectibles are counted in pieces. */
const pieces = ({ standard, decimals }: { readonly standard: string | null; readonly decimals: number | null }) =>
  standard === "erc721" || standard === "erc1155" ? 0 : decimals;
