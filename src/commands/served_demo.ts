import { maskedAddress } from "../chains/node/rpc_address.ts";
import type { LoadedSettings } from "../config/settings.ts";
import { tools } from "../tools/index.ts";
import type { ServiceOwner } from "./answering_process.ts";
import { type CommandIo, EXIT } from "./command.ts";
import { demoKey, demoLink, openDemo } from "./demo.ts";
import type { BegunDemo } from "./demo_begin.ts";
import { FIRST_TOOL, showFirstScreen } from "./ready.ts";
import { openConfigured, stopped, waitIndexed } from "./run.ts";
import { startStatusLine } from "./status_line.ts";
import { runTrials } from "./tool_trials.ts";
import { setUpLink } from "./user.ts";

interface StartedDemo {
  readonly owner: ServiceOwner;
  readonly loaded: LoadedSettings;
  readonly begun: BegunDemo;
  /** By the monotonic clock. */
  readonly started_ms: number;
}

/** The rest of a demo that was begun: its chains, stores, service and first screen. */
export const serveDemo = async (io: CommandIo, { owner, loaded, begun, started_ms }: StartedDemo): Promise<number> => {
  const demo = await openDemo(loaded.settings, begun);
  try {
    const { chains } = demo;
    for (const { enabled, head } of chains)
      io.err(
        `  chain    ${enabled.rpc.map(maskedAddress)}, ${head.number + 1} blocks over 90 days (${enabled.network.id})\n`,
      );
    const { own_origins } = demo.site;
    const networks = chains.map(({ enabled }) => enabled);
    const cast = chains.flatMap((chain) => chain.cast);
    const parts = { networks, surfaces: true, indexing: true, once: false, own_origins, cast };
    const service = await openConfigured(loaded, parts, io);
    await demo.facts.close();
    owner.noteUrl(service.url ?? "");
    await waitIndexed(service, io);
    const heads = chains.map(({ head }) => head.hash);
    const at = { checkout: io.checkout, data_dir: loaded.data_dir, heads };
    if (!io.signal.aborted) {
      const { silent, is_earlier } = await runTrials(service, at, io);
      if (is_earlier) void service.warm();
      const key = await demoKey(service.accounts, loaded.data_dir, loaded.settings.watch.enabled);
      const token = await demoLink(service.accounts);
      const seconds = ((performance.now() - started_ms) / 1000).toFixed(1);
      const tried = is_earlier ? " (tried at an earlier start, at this block)" : "";
      const screen = {
        ready: `${tools.length - silent.length} of ${tools.length} tools ready in ${seconds} s${tried}`,
        ill: silent,
        key: [key, `(also in ${loaded.data_dir}/demo.key; this is the demo's own key)`],
        set_up: token === null ? null : setUpLink(service.url ?? "", token),
        bearer: key,
        example: tools.find(({ name }) => name === FIRST_TOOL)?.example ?? null,
      };
      showFirstScreen(service, screen, io);
    }
    const line = startStatusLine(service, io);
    const beating = demo.beat(io.signal);
    await Promise.race([stopped(io.signal), ...chains.map(({ gone }) => gone)]);
    line.stop();
    if (io.signal.aborted) await beating;
    else io.err("assay: a chain of the demo ended by itself\n");
    io.err("assay: stopping\n");
    await service.close();
    return io.signal.aborted ? EXIT.ok : EXIT.error;
  } finally {
    await demo.facts.close();
    await demo.site.close();
    await Promise.all(demo.chains.map(({ stop }) => stop()));
  }
};
