import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { packLabel } from "./index.ts";

test("an address is found by its bytes, however the pack writes it", () => {
  // A row each in hex, in base58check (TA5gT7kFLTYSgrTQgsCah6jfCz75xX17ce) and in base58
  // (8ZPaybdHeNwpoxmU1ALcbLoE3eK443Jq4emk82VCscag), decoded with Python.
  expect(packLabel("ethereum", hex("000000000000040470635eb91b7ce4d132d616ed"))?.entity).toBe("Zamm");
  expect(packLabel("tron", hex("013968c62f413b627879b634ad2f1670a3067482"))?.entity).toBe("OSL HK");
  expect(packLabel("solana", hex("704deea53d2d0761c68ffd409de9847bad18cfdc68a1ab42d2972fc528269b4d"))?.entity).toBe(
    "Bitget",
  );
  expect(packLabel("tron", "")).toBeNull();
});
