import { address, getProgramDerivedAddress, isOffCurveAddress } from "@solana/kit";
import { describe, expect, test } from "vitest";
import { readRecordedSolana } from "../../../test/solana/recorded.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { derivedAddress } from "./derived_address.ts";
import { METADATA_PROGRAM } from "./programs.ts";

const bytes = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);

describe("derived addresses", () => {
  test("match the reference client", async () => {
    const program = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
    for (let seed = 0; seed < 40; seed += 1) {
      const seeds = [Buffer.alloc(32, seed), Buffer.from(`word ${seed}`)];
      const ours = toBase58(derivedAddress(seeds, bytes(program)));
      const [theirs] = await getProgramDerivedAddress({ programAddress: address(program), seeds });
      expect(ours).toBe(theirs);
      expect(isOffCurveAddress(address(ours))).toBe(true);
    }
  });

  const recorded = readRecordedSolana();
  test.skipIf(recorded === null)("the metadata of a recorded mint is where Metaplex put it", () => {
    const created = recorded?.instructions.find(({ name }) => name.endsWith("create_metadata_v3_ix.json"));
    const [metadata = "", mint = ""] = created?.accounts ?? [];
    const ours = derivedAddress([Buffer.from("metadata"), METADATA_PROGRAM, bytes(mint)], METADATA_PROGRAM);
    expect(toBase58(ours)).toBe(metadata);
  });
});
