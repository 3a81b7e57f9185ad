/** One account's cheap calls beside another's half-sent bodies, and on a service without them, in turn. */
import { openPartial } from "../../test/contract/half_sent.ts";
import { timesOf } from "../calls.ts";
import { openCallers } from "../faults/callers.ts";
import { openCustomers, openStore } from "../faults/run.ts";
import { type EngineName, openFaultSetup, type StartService } from "../faults/setup.ts";

export interface HalvesSettings {
  readonly engine: EngineName;
  readonly start: StartService;
  readonly halves: number;
  /** Calls of each round on each service. */
  readonly calls: number;
  readonly rounds: number;
}

export interface HalvesReport {
  readonly sides: readonly {
    readonly bodies: number;
    readonly calls: number;
    readonly failed: number;
    readonly p50: number;
    readonly p99: number;
  }[];
  /** p99 beside the bodies over p99 without them, by round. */
  readonly ratios: readonly number[];
}

/** Announced and sent bytes of a body: a thousand of these are under a quarter of the bytes that may wait. */
const BYTES = [65_536, 32_000] as const;

export const compareHalves = async (settings: HalvesSettings): Promise<HalvesReport> => {
  const { engine, start, halves, calls, rounds } = settings;
  const stage = await openFaultSetup({ engine, start, service: { account_share_percent: 25 } });
  const store = await openStore(stage, 0);
  const [greedy, modest] = await openCustomers(store, 2);
  const [beside, alone] = stage.slots;
  if (greedy === undefined || modest === undefined || beside === undefined || alone === undefined)
    throw new Error("a stage has two services, and two customers were made");
  const callers = openCallers([beside.front.port, alone.front.port], 1);
  const sides = [beside, alone].map(() => ({ took: [] as number[], failed: 0 }));
  const ratios: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const port = Number(new URL(String(beside.service().seen.find(({ event }) => event === "ready")?.url)).port);
      // New for each round: the service drops them after a while.
      const half = await openPartial({ port, secret: greedy.secret, count: halves, bytes: BYTES });
      const now = sides.map((): number[] => []);
      for (let call = 0; call < calls; call += 1)
        for (const [side, caller] of callers.each((one) => one).entries()) {
          const from = performance.now();
          const end = await caller.call({ secret: modest.secret, tool: "answer", idempotency_key: null });
          now[side]?.push(performance.now() - from);
          const counts = sides[side];
          if (counts !== undefined && end !== "charged") counts.failed += 1;
        }
      await half.close();
      for (const [side, took] of now.entries()) sides[side]?.took.push(...took);
      const [with_them, without] = now.map((took) => timesOf(took).p99);
      ratios.push((with_them ?? Number.NaN) / (without ?? Number.NaN));
    }
  } finally {
    await callers.close();
    await store.close();
    await stage.close();
  }
  const shown = sides.map(({ took, failed }, side) => ({
    bodies: side === 0 ? halves : 0,
    calls: took.length,
    failed,
    ...timesOf(took),
  }));
  return { sides: shown, ratios };
};
