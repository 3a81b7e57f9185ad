import type { LoadedSettings } from "../config/settings.ts";
import { operatorsStayHere } from "../config/sign_in.ts";
import type { ServiceOwner } from "./answering_process.ts";
import { type CommandIo, EXIT } from "./command.ts";
import { beginDemo } from "./demo_begin.ts";
import { demoText, missingDemoPackages } from "./needed_packages.ts";
import { checkPorts } from "./port.ts";

/** Builds the demo's chains, indexes and serves them until a stop signal. */
export const runDemo = async (io: CommandIo, owner: ServiceOwner): Promise<number> => {
  const missing = missingDemoPackages(io.checkout);
  if (missing.length > 0) {
    io.err(demoText(missing));
    return EXIT.error;
  }
  const loaded = forVisitors(io.settings());
  await checkPorts(loaded.settings);
  io.err(`assay: no network is configured, so this is the demo\n  stores   ${loaded.data_dir}\n`);
  const started_ms = performance.now();
  const begun = beginDemo({ data_dir: loaded.data_dir, now: Math.floor(Date.now() / 1000) });
  const { serveDemo } = await import("./served_demo.ts");
  return serveDemo(io, { owner, loaded, begun, started_ms });
};

/**
 * A visitor of the demo watches addresses, free of charge and without webhooks, and sees operators' pages too, where only this machine reaches
 * them; what is configured counts.
 */
const forVisitors = (loaded: LoadedSettings): LoadedSettings => {
  const { origins } = loaded;
  const { watch } = loaded.settings;
  const shown = origins.watch === "default" ? { ...watch, enabled: true, webhooks: false, credits: 0 } : watch;
  const settings = { ...loaded.settings, watch: shown };
  const open = { ...settings, sign_in: { ...settings.sign_in, operators: true } };
  return { ...loaded, settings: origins.sign_in === "default" && operatorsStayHere(open) ? open : settings };
};
