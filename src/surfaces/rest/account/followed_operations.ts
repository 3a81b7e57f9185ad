/** The addresses that an account has read and followed on networks on demand (docs/design/on_demand.md). */
import { z } from "zod";
import { AssayError } from "../../../lib/errors.ts";
import type { FollowedProgress } from "../../../store/subjects/progress.ts";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";

type FollowedAddress = Omit<FollowedProgress, "subject" | "asked_by"> & {
  readonly network: string;
  readonly address: string;
};

/** Addresses as an account names them. */
export interface FollowWish {
  readonly account_id: string;
  readonly network: string;
  readonly addresses: readonly string[];
}

/** Networks on demand, for accounts. */
export interface FollowContext {
  networks(): readonly string[];
  /** The addresses that an account follows. */
  list(account_id: string): Promise<readonly FollowedAddress[]>;
  /** Addresses that it follows and may follow, and the calls of nodes for them in a day and of them at most. */
  limits(account_id: string): Promise<FollowLimits>;
  /** Their progress, also of those that others follow. @throws AssayError SUBJECT_LIMIT, BAD_FIELD */
  follow(wish: FollowWish): Promise<readonly FollowedAddress[]>;
  /** Ends the account's own wishes. @throws AssayError BAD_FIELD */
  leave(wish: FollowWish): Promise<void>;
}

interface FollowLimits {
  readonly addresses: number;
  readonly addresses_max: number;
  readonly requests_today: number;
  readonly requests_per_day: number;
}

const define = definer<AccountContext>();

const count = z.int().min(0);
const followed = z.strictObject({
  network: z.string(),
  address: z.string(),
  state: z.enum(["waiting", "searching", "reading", "read", "failed", "left", "too_large"]).meta({
    description: "`read`: tools answer from its history; `too_large`: a counterparty with too many blocks, not read.",
  }),
  blocks_found: count.nullable(),
  blocks_read: count.nullable(),
  to_block: count.nullable().meta({ description: "All blocks that concern the address are read up to this one." }),
  to_time: z.string().nullable(),
  from_block: count.nullable().meta({ description: "Earlier blocks are not read." }),
  search: z
    .enum(["proven", "not proven"])
    .nullable()
    .meta({ description: "`proven`: the node's states of the address show that no block is missing." }),
  is_balanced: z
    .boolean()
    .nullable()
    .meta({ description: "Its movements add up to the balance that the node states." }),
  requests: count.nullable().meta({ description: "Calls of the node." }),
  problem: z.string().meta({ description: "Empty without a problem." }),
});

const limits = z.strictObject({
  addresses: count,
  addresses_max: count,
  requests_today: count.meta({ description: "Calls of nodes for addresses added in the last 24 hours." }),
  requests_per_day: count,
});

const wish = z.strictObject({
  network: z.string().min(1).max(100).meta({ description: "A network that is read on demand." }),
  addresses: z.array(z.string().min(1).max(100)).min(1).max(100),
});

const contextOf = ({ followed: context }: AccountContext): FollowContext => {
  if (context !== null && context.networks().length > 0) return context;
  const message = "No network of this service is read on demand, so all addresses have a history.";
  throw new AssayError({ code: "FOLLOW_OFF", message, public: message });
};

export const followedOperations = {
  list_followed_addresses: define({
    method: "GET",
    path: "/api/followed",
    summary: "List the addresses that the account follows on networks on demand, oldest first, with their progress.",
    input: z.strictObject({}),
    output: z.strictObject({
      networks: z.array(z.string()),
      addresses: z.array(followed),
      limits: limits.nullable().meta({ description: "Null where no network is read on demand." }),
    }),
    async run({ caller, followed: context }) {
      const { account_id } = caller;
      // A page shows nothing then.
      if (context === null || context.networks().length === 0) return { networks: [], addresses: [], limits: null };
      const [addresses, allowed] = await Promise.all([context.list(account_id), context.limits(account_id)]);
      return { networks: [...context.networks()], addresses: [...addresses], limits: { ...allowed } };
    },
  }),
  follow_addresses: define({
    method: "POST",
    path: "/api/followed",
    summary: "Read the history of addresses on a network on demand and follow them. Returns their progress.",
    input: wish,
    output: z.strictObject({ addresses: z.array(followed) }),
    async run(desk, input) {
      const addresses = await contextOf(desk).follow({ ...input, account_id: desk.caller.account_id });
      return { addresses: [...addresses] };
    },
  }),
  leave_addresses: define({
    method: "POST",
    path: "/api/followed/leave",
    summary: "Follow addresses of the account no more. Their stored history stays.",
    input: wish,
    output: z.strictObject({ addresses: z.array(followed) }),
    async run(desk, input) {
      const { account_id } = desk.caller;
      const context = contextOf(desk);
      await context.leave({ ...input, account_id });
      return { addresses: [...(await context.list(account_id))] };
    },
  }),
} as const;
