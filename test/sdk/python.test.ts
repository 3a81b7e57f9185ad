// @long: alone
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { WALLET } from "../contract/bench_tools.ts";
import { openService } from "../contract/service.ts";
import { FAULT_CASES, TIMEOUT_MS } from "./fault_cases.ts";
import { type FaultyServer, startFaulty } from "./faulty.ts";
import { ROOT, run } from "./packed.ts";
import { missingPackages, PYTHON, SOURCES, startChecks } from "./python.ts";

// The Python library through the same faults as the other one, against the real service and its ledger.
const missing = missingPackages();
const title = (name: string) => (missing === null ? name : `${name} (not run: apt-get install ${missing})`);
const tested = test.skipIf(missing !== null);

let service: Awaited<ReturnType<typeof openService>>;
let faulty: FaultyServer;
let checks: ReturnType<typeof startChecks>;
beforeAll(async () => {
  if (missing !== null) return;
  service = await openService();
  faulty = await startFaulty(service.url);
  checks = startChecks(SOURCES);
});
afterAll(async () => {
  checks?.close();
  await faulty?.close();
  await service?.close();
});
beforeEach(() => {
  if (missing === null) faulty.keys.length = 0;
});

const paid = async () => 500_000 - (await service.store.meter.standing(service.customer.api)).credits_remaining;

const both = FAULT_CASES.flatMap((one) => [
  { ...one, flavour: "sync" },
  { ...one, flavour: "async" },
]);

tested.each(both)(title("$flavour, $name: $ends, $sent sent, $paid paid"), async (one) => {
  const before = await paid();
  faulty.meet(...one.faults);
  const own_key = one.own_key === undefined ? null : `${one.own_key}-${one.flavour}`;
  const [ended] = await checks.ask({
    do: "faults",
    url: faulty.url,
    key: service.customer.key.secret,
    timeout_s: TIMEOUT_MS / 1_000,
    tool: one.tool,
    args: { address: WALLET, network: "demo" },
    flavour: one.flavour,
    own_key,
  });
  const told = one.is_charged === undefined ? {} : { is_charged: one.is_charged };
  expect(ended).toMatchObject({ ends: one.ends, attempts: one.sent, ...told });
  expect({ sent: faulty.keys.length, paid: (await paid()) - before }).toEqual({ sent: one.sent, paid: one.paid });
  expect(new Set(faulty.keys).size).toBe(1);
  expect(faulty.keys[0]).toMatch(own_key === null ? /^[0-9a-f]{32}$/ : new RegExp(`^${own_key}$`));
  expect(await service.store.ledger.verify()).toEqual([]);
});

tested(title("a batch has one outcome per input, charged by itself"), async () => {
  const good = { address: WALLET, network: "demo" };
  const before = await paid();
  const [ended] = await checks.ask({
    ...{ do: "batch", url: service.url, key: service.customer.key.secret },
    ...{ tool: "show", items: [good, { address: "0x12", network: "demo" }, good] },
  });
  const items = [
    { ends: "data", cost: 3 },
    { ends: "invalid_request", is_charged: false, status: 422 },
    { ends: "data", cost: 3 },
  ];
  expect(ended).toMatchObject({ items, awaited: items });
  expect((await paid()) - before).toBe(12);
});

// The example of the reference libraries of Standard Webhooks, signed over a body that is no event.
const EXAMPLE = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  body: '{"test": 2432232314}',
  now_s: 1_614_265_330,
  headers: {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
};
/** HMAC-SHA256 by openssl over `msg_1.1614265330.{"type":"t","data":{}}` under the same secret. */
const SIGNED = "v1,ECnvMRVm8UH5zosFCQLq4V4uaZiyczcNgxPgucss3T0=";
const EVENT = {
  ...EXAMPLE,
  body: '{"type":"t","data":{}}',
  headers: { "webhook-id": "msg_1", "webhook-timestamp": "1614265330", "webhook-signature": SIGNED },
};

tested(title("webhooks are verified as the specification says, and everything else is refused"), async () => {
  const cases: readonly (readonly [object, object])[] = [
    [EVENT, { id: "msg_1", sent_at: "2021-02-25T15:02:10+00:00", event: { type: "t", data: {} } }],
    [{ ...EVENT, secret: ["whsec_AAAA", EVENT.secret] }, { id: "msg_1" }],
    [EXAMPLE, { fault: "body" }],
    [{ ...EVENT, body: '{"type":"u","data":{}}' }, { fault: "signature" }],
    [{ ...EVENT, headers: { ...EVENT.headers, "webhook-id": "msg_2" } }, { fault: "signature" }],
    [{ ...EVENT, headers: { ...EVENT.headers, "webhook-signature": "v1,%% v1a,x" } }, { fault: "signature" }],
    [{ ...EVENT, now_s: EVENT.now_s + 301 }, { fault: "time" }],
    [{ ...EVENT, now_s: EVENT.now_s - 301 }, { fault: "time" }],
    [{ ...EVENT, headers: { ...EVENT.headers, "webhook-timestamp": "now" } }, { fault: "headers" }],
    [{ ...EVENT, headers: {} }, { fault: "headers" }],
    [{ ...EVENT, secret: "whsec_" }, { fault: "secret" }],
  ];
  const asked = { do: "webhooks", cases: cases.map(([one]) => one) };
  expect(await checks.ask(asked, cases.length)).toMatchObject(cases.map(([, told]) => told));
});

tested(title("mypy --strict finds nothing in it, and nothing in what uses it"), async () => {
  const { stdout } = await run(PYTHON, ["-m", "mypy", "--cache-dir=/dev/null", "--strict", "src", "checks.py"], {
    cwd: `${ROOT}/sdk-python`,
    env: { MYPYPATH: "src" },
  });
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files/);
});
