import { describe, expect, test } from "vitest";
import { bench, creditsOf, GOOD } from "../../../../test/contract/bench.ts";
import { WALLET } from "../../../../test/contract/bench_tools.ts";

const service = await bench();

const refusal = async (args: unknown): Promise<string> => {
  const reply = await service.post("show", args);
  expect(reply.status, JSON.stringify(args)).toBe(422);
  expect(creditsOf(reply)).toMatchObject({ charged: 0 });
  const start = "Invalid arguments for tool 'show': ";
  expect(reply.body.detail.startsWith(start)).toBe(true);
  return reply.body.detail.slice(start.length);
};

const accepted = async (args: unknown): Promise<Record<string, unknown>> => {
  const reply = await service.post("show", args);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.arguments;
};

describe("names", () => {
  test.each([
    ["wallet_address", "address"],
    ["adress", "address"],
    ["walletAddress", "address"],
    ["chain", "network"],
    ["chain_id", "network"],
    ["Network", "network"],
    ["start_date", "from_date"],
    ["end_date", "to_date"],
    ["pages", "page"],
    ["per_page", "records_per_page"],
    ["limit", "records_per_page"],
  ])("%s is unknown, and %s is meant", async (name, meant) => {
    expect(await refusal({ ...GOOD, [name]: "x" })).toContain(`unknown field '${name}', did you mean '${meant}'?`);
  });

  test("a name that resembles nothing is answered with the known ones", async () => {
    expect(await refusal({ ...GOOD, zzzzzzzz: 1 })).toBe(
      "unknown field 'zzzzzzzz'. Known fields: address, network, from_date, to_date, page, records_per_page, timeframe, " +
        "include_spam, token_address, as_of_block.",
    );
  });

  test("names of objects' own machinery are unknown like any other", async () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"])
      expect(await refusal(`{"address":"${WALLET}","network":"demo","${name}":{"a":1}}`)).toContain(
        `unknown field '${name}'`,
      );
  });

  test("a long or dirty name is cut and cleaned before it is shown", async () => {
    const detail = await refusal({ ...GOOD, [`\u202e\u0000${"n".repeat(10_000)}`]: 1 });
    expect(detail.length).toBeLessThan(400);
    for (const dirt of ["\u202e", "\u0000"]) expect(detail).not.toContain(dirt);
  });
});

describe("types", () => {
  test.each([
    [{ network: "demo" }, "field 'address' is required (a string)."],
    [{ ...GOOD, page: "2" }, "field 'page' must be an integer, not a string."],
    [{ ...GOOD, page: 1.5 }, "field 'page' must be an integer, not a number with a fraction."],
    [{ ...GOOD, page: true }, "field 'page' must be an integer, not a boolean."],
    [{ ...GOOD, page: null }, "field 'page' must be an integer, not null."],
    [{ ...GOOD, address: 5 }, "field 'address' must be a string, not an integer."],
    [{ ...GOOD, address: [] }, "field 'address' must be a string, not an array."],
    [{ ...GOOD, address: {} }, "field 'address' must be a string, not an object."],
    [{ ...GOOD, include_spam: "true" }, "field 'include_spam' must be true or false, not a string."],
    [{ ...GOOD, page: 0 }, "field 'page' must be at least 1."],
    [{ ...GOOD, records_per_page: 101 }, "field 'records_per_page' must be at most 100."],
    [{ ...GOOD, as_of_block: -1 }, "field 'as_of_block' must be at least 0."],
    [{ ...GOOD, as_of_block: true }, "field 'as_of_block' matches none of the allowed forms; it is a boolean."],
    [{ ...GOOD, timeframe: "5" }, "field 'timeframe' must be one of 5m, 1h, 1d, not '5' (did you mean '5m'?)."],
    [{ ...GOOD, timeframe: 5 }, "field 'timeframe' must be one of 5m, 1h, 1d, not an integer."],
    [
      { ...GOOD, page: "1", timeframe: "1D " },
      "field 'page' must be an integer, not a string; field 'timeframe' must be one of 5m, 1h, 1d, not '1D' with characters that are not shown (did you mean '1d'?).",
    ],
  ])("%j: %s", async (args, detail) => {
    expect(await refusal(args)).toBe(detail);
  });

  test("20.0 and 2e1 are integers", async () => {
    for (const number of ["20", "20.0", "2e1"]) {
      const body = `{"address":"${WALLET}","network":"demo","records_per_page":${number}}`;
      expect((await accepted(body)).records_per_page).toBe(20);
    }
  });

  test("an integer beyond 2^53 is refused", async () => {
    // Through Zod's own bound of safe integers.
    expect(await refusal(`{"address":"${WALLET}","network":"demo","as_of_block":9007199254740993}`)).toContain(
      "'as_of_block'",
    );
  });
});

describe("networks", () => {
  test.each([
    ["eth", "'ethereum'"],
    ["Mainnet", "'ethereum'"],
    ["1", "'ethereum'"],
    ["eip155:1", "'ethereum'"],
    ["0x1", "'ethereum'"],
    ["Ethereum", "'ethereum'"],
    ["etherum", "'ethereum'"],
    ["ethereum ", "'ethereum'"],
    ["31337", "'demo'"],
    ["ALL", "'all'"],
  ])("%s is refused with the enabled list, and %s is meant", async (network, meant) => {
    const detail = await refusal({ ...GOOD, network });
    expect(detail).toContain("field 'network' must be one of demo, ethereum, evm, all, not '");
    expect(detail).toContain(`Did you mean ${meant}?`);
  });

  test("the refusal of a known network that is not enabled says so", async () => {
    expect(await refusal({ ...GOOD, network: "bnb" })).toContain("'bsc' is not enabled here for this tool.");
    expect(await refusal({ ...GOOD, network: "solana" })).toContain("'solana' is not enabled here for this tool.");
  });

  test("all and evm pass where the tool takes several", async () => {
    for (const network of ["all", "evm"]) expect(await accepted({ ...GOOD, network })).toMatchObject({ network });
  });

  test("rejects a block number for several networks", async () => {
    expect(await refusal({ ...GOOD, network: "all", as_of_block: 5 })).toContain(
      "'as_of_block' requires a single network",
    );
    expect(await accepted({ ...GOOD, as_of_block: 5 })).toMatchObject({ as_of_block: 5 });
  });
});

describe("addresses", () => {
  test("any case passes, and a mixed one only with the checksum of EIP-55", async () => {
    const digits = WALLET.slice(2);
    for (const address of [WALLET, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`])
      await accepted({ ...GOOD, address });
    const wrong = WALLET.replace("cBB", "CBB");
    expect(await refusal({ ...GOOD, address: wrong })).toContain("its EIP-55 checksum is wrong");
  });

  test.each([
    "",
    "0x",
    WALLET.slice(2),
    `${WALLET}0`,
    `0X${WALLET.slice(2)}`,
    "vitalik.eth",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    ` ${WALLET}`,
  ])("%j is no address of an EVM network", async (address) => {
    expect(await refusal({ ...GOOD, address })).toContain(
      "field 'address' must be an address on demo (0x and 40 hex digits",
    );
  });

  test("the native coin has one form inside, whatever form was sent", async () => {
    for (const token of [
      "native",
      `0x${"0".repeat(40)}`,
      `0x${"e".repeat(40)}`,
      "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
    ])
      expect((await accepted({ ...GOOD, token_address: token })).token_address).toBe("native");
    for (const token of ["Native", "ETH", "TRX"])
      expect(await refusal({ ...GOOD, token_address: token })).toContain("or 'native'");
  });
});

describe("dates and pages", () => {
  test.each(["2026-02-29", "2026-13-01", "2026-1-1", "20260101", "2026-01-01T00:00:00Z", "yesterday", ""])(
    "%j is no day",
    async (from_date) => {
      expect(await refusal({ ...GOOD, from_date })).toContain("field 'from_date' must be a real day as YYYY-MM-DD");
    },
  );

  test("a leap day is a day, and one day is a range", async () => {
    await accepted({ ...GOOD, from_date: "2024-02-29", to_date: "2024-02-29" });
  });

  test("from after to, from in the future, and times before Unix are refused", async () => {
    expect(await refusal({ ...GOOD, from_date: "2026-02-02", to_date: "2026-02-01" })).toContain(
      "must not be after 'to_date'",
    );
    expect(await refusal({ ...GOOD, from_date: "2999-01-01" })).toContain("must not be in the future");
    expect(await refusal({ ...GOOD, from_date: "1969-12-31" })).toContain("must not be before 1970-01-01");
  });

  test("a future to_date is left to the tool, which clamps it", async () => {
    await accepted({ ...GOOD, to_date: "2999-01-01" });
  });

  test("row 10,000 is the deepest", async () => {
    await accepted({ ...GOOD, page: 100, records_per_page: 100 });
    await accepted({ ...GOOD, page: 500 });
    expect(await refusal({ ...GOOD, page: 101, records_per_page: 100 })).toContain("Narrow the dates");
    expect(await refusal({ ...GOOD, page: 501 })).toContain("beyond row 10000");
  });
});

test("the tool's own check runs last, before any charge", async () => {
  const address = "0x000000000000000000000000000000000000dEaD";
  expect(await refusal({ ...GOOD, address })).toBe("that address is burnt.");
});

test("422 comes before duplicate, price version and credits, and takes no key", async () => {
  const headers = { "idempotency-key": "arguments", "x-credit-catalog-version": "old" };
  expect((await service.post("show", { ...GOOD, page: 0 }, { headers })).status).toBe(422);
  expect((await service.post("show", GOOD, { headers: { "idempotency-key": "arguments" } })).status).toBe(200);
});
