import { tools } from "../tools/index.ts";
import type { ServiceOwner } from "./answering_process.ts";
import { type CommandIo, EXIT } from "./command.ts";
import { demoKey, openDemo } from "./demo.ts";
import { openConfigured, stopped, waitIndexed } from "./run.ts";
import { tryTools } from "./tried_tools.ts";

/** The call that the first screen shows. */
const FIRST_TOOL = "get_wallet_portfolio_breakdown";

const curlFor = (url: string, key: string): string => {
  const tool = tools.find(({ name }) => name === FIRST_TOOL) ?? tools[0];
  const body = JSON.stringify(tool?.example ?? {});
  return `curl -s ${url}/api/tools/${tool?.name} \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
};

/** The line that adds the demo to an assistant (docs/operating/mcp.md has those of others). */
const claudeFor = (url: string, key: string): string =>
  `claude mcp add --transport http assay ${url}/mcp --header 'Authorization: Bearer ${key}'`;

/** Builds the demo's chains, indexes and serves them until it is asked to stop. */
export const runDemo = async (io: CommandIo, owner: ServiceOwner): Promise<number> => {
  const loaded = io.settings();
  io.err(`assay: no network is configured, so this is the demo\n  stores   ${loaded.data_dir}\n`);
  const started = performance.now();
  const demo = await openDemo(loaded.settings, {
    ...loaded,
    checkout: io.checkout,
    now: Math.floor(Date.now() / 1000),
  });
  try {
    const { chains } = demo;
    for (const { enabled, head } of chains)
      io.err(`  chain    ${enabled.rpc[0]}, ${head.number + 1} blocks over 90 days (${enabled.network.id})\n`);
    const { own_origins } = demo.site;
    const networks = chains.map(({ enabled }) => enabled);
    const parts = { networks, surfaces: true, indexing: true, once: false, own_origins };
    const service = await openConfigured(loaded, parts, io);
    await demo.facts.close();
    owner.noteUrl(service.url ?? "");
    await waitIndexed(service, io);
    const heads = chains.map(({ head }) => head.hash);
    const at = { checkout: io.checkout, data_dir: loaded.data_dir, heads };
    if (!io.signal.aborted) {
      const { silent, is_earlier } = await tryTools(service, at);
      const key = await demoKey(service.accounts, loaded.data_dir);
      for (const line of silent) io.err(`  ! ${line}\n`);
      io.err(
        `  ready    ${tools.length - silent.length} of ${tools.length} tools ready in ${((performance.now() - started) / 1000).toFixed(1)} s${is_earlier ? " (tried at an earlier start, at this block)" : ""}\n\n`,
      );
      io.err(
        `  address  ${service.url}\n  key      ${key}\n           (also in ${loaded.data_dir}/demo.key; this is the demo's own key)\n\n`,
      );
      io.err(`  MCP      ${claudeFor(service.url ?? "", key)}\n\n`);
      io.out(`${curlFor(service.url ?? "", key)}\n`);
      io.err("\n  Ctrl-C stops everything.\n");
    }
    await Promise.race([stopped(io.signal), ...chains.map(({ gone }) => gone)]);
    if (!io.signal.aborted) io.err("assay: a chain of the demo ended by itself\n");
    io.err("assay: stopping\n");
    await service.close();
    return io.signal.aborted ? EXIT.ok : EXIT.error;
  } finally {
    await demo.facts.close();
    await demo.site.close();
    await Promise.all(demo.chains.map(({ stop }) => stop()));
  }
};
