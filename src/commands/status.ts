import { existsSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { indexedBy } from "../lib/status.ts";
import { openAccountsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, onlyFlags, printData } from "./command.ts";
import { ask, serviceUrl } from "./http.ts";

/** Says for people who writes which network. That stands in the accounts store: a surface for everybody names no machine. */
const tellIndexers = async (io: CommandIo): Promise<void> => {
  const { settings, data_dir } = io.settings();
  if (!existsSync(data_dir)) return;
  try {
    const accounts = await openAccountsOnly(settings, data_dir, silentLog);
    try {
      const holders = Object.entries(await accounts.leases.holders(null));
      for (const [network, holder] of holders) io.err(`${indexedBy(network, holder)}\n`);
    } finally {
      await accounts.close();
    }
  } catch (error) {
    io.err(`assay: who indexes is not known: ${messageOf(error)}\n`);
  }
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["url", "config", "json"]);
  const is_local = flag(args, "url") === null && io.env.ASSAY_URL === undefined;
  if (is_local) await tellIndexers(io);
  const answer = await ask(`${serviceUrl(args, io)}/readyz`, { signal: io.signal });
  printData(io, answer.body);
  return answer.status === 200 ? EXIT.ok : EXIT.error;
};
