import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { named } from "../../../../test/named.ts";
import { bucketOf, NATIVE } from "./own_transfers.ts";

const [WRAPPED, FACE, OLD, NEW, ART] = ["wrapped", "face of the coin", "old", "new", "art"].map(named);
if (!WRAPPED || !FACE || !OLD || !NEW || !ART) throw new Error("five names");
const chain = fixedChain({
  network: {
    wrapped_native: WRAPPED,
    aliases: [
      { token: FACE, same_as: named("") },
      { token: OLD, same_as: NEW },
    ],
  },
});

test("the forms of one balance are one asset, so that none washes another", () => {
  const assets = [named(""), WRAPPED, FACE].map((token) => bucketOf({ chain }, token, null));
  expect(assets).toEqual([NATIVE, NATIVE, NATIVE]);
  expect([OLD, NEW].map((token) => bucketOf({ chain }, token, null))).toEqual([NEW, NEW]);
  expect(bucketOf({ chain }, ART, 7n)).not.toBe(bucketOf({ chain }, ART, 8n));
});
