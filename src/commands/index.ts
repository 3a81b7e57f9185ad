import { account } from "./account.ts";
import { accounts } from "./accounts.ts";
import { allowlist } from "./allowlist.ts";
import { audit } from "./audit.ts";
import { backup } from "./backup.ts";
import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { completionFor } from "./completion.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { facts } from "./facts.ts";
import { indexBlocks } from "./index_blocks.ts";
import { key } from "./key.ts";
import { labels } from "./labels.ts";
import { ledger } from "./ledger.ts";
import { mcp } from "./mcp.ts";
import { network } from "./network.ts";
import { prices } from "./prices.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { status } from "./status.ts";
import { toolsCommand } from "./tools.ts";
import { up } from "./up.ts";

const named: readonly Command[] = [
  up,
  serve,
  indexBlocks,
  status,
  call,
  toolsCommand,
  account,
  accounts,
  key,
  prices,
  allowlist,
  audit,
  network,
  labels,
  doctor,
  config,
  facts,
  ledger,
  mcp,
  backup,
  restore,
];

/** Every command, in the order of help. */
export const commands: readonly Command[] = [...named, completionFor(named.map(({ name }) => name))];
