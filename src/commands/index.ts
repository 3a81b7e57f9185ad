import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { config } from "./config.ts";
import { network } from "./network.ts";
import { status } from "./status.ts";
import { toolsCommand } from "./tools.ts";

/** Every command, in the order of help. */
export const commands: readonly Command[] = [status, call, toolsCommand, network, config];
