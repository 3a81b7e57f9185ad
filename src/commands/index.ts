import { account } from "./account.ts";
import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { completionFor } from "./completion.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { indexBlocks } from "./index_blocks.ts";
import { key } from "./key.ts";
import { ledger } from "./ledger.ts";
import { network } from "./network.ts";
import { prices } from "./prices.ts";
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
  key,
  prices,
  network,
  doctor,
  config,
  ledger,
];

/** Every command, in the order of help. */
export const commands: readonly Command[] = [...named, completionFor(named.map(({ name }) => name))];
