import type { Command, CommandFlag } from "../command.ts";

/** Declaration of a command. Its code is loaded when it runs, because each command imports other parts of the product. */
export interface ListedCommand extends Omit<Command, "run"> {
  readonly load: () => Promise<Pick<Command, "run">>;
}

const THE_SERVICE = "the address recorded by the running service, else the configured one";

/** Flags of commands that call a running service. */
export const SERVICE_FLAGS = {
  url: {
    name: "url",
    value: "URL",
    summary: `Call the service at this address (default: ASSAY_URL, else ${THE_SERVICE}).`,
  },
  key: { name: "key", value: "KEY", summary: "Call with this key (default: ASSAY_KEY, else the demo's)." },
} as const satisfies Readonly<Record<string, CommandFlag>>;

/** The same flag, for these actions only. */
export const only = (flag: CommandFlag, ...actions: readonly string[]): CommandFlag => ({ ...flag, actions });
