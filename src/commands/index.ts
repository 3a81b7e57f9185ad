import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { config } from "./config.ts";
import { indexBlocks } from "./index_blocks.ts";
import { network } from "./network.ts";
import { serve } from "./serve.ts";
import { status } from "./status.ts";
import { toolsCommand } from "./tools.ts";
import { up } from "./up.ts";

/** Every command, in the order of help. */
export const commands: readonly Command[] = [up, serve, indexBlocks, status, call, toolsCommand, network, config];
