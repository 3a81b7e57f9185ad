import * as z from "zod";
import type { DescribedAccount, Permission } from "../chains/account_facts.ts";
import type { Chain } from "../chains/chain.ts";
import { toAmount } from "../lib/money.ts";
import { chainText } from "./fields.ts";

const onSolana = (description: string) => ({ description: `Solana: ${description} Null elsewhere.` });
const onTron = (description: string) => ({ description: `Tron: ${description} Null elsewhere.` });

const permission = {
  name: chainText("Name given by the account's owner.").nullable(),
  threshold: z.int().describe("Total weight of signatures required."),
  keys: z.array(z.strictObject({ address: z.string(), weight: z.int() })),
};

export const accountFacts = {
  owner_program: z.string().nullable().meta(onSolana("program that may change the account.")),
  executable: z.boolean().nullable().meta(onSolana("true when the account is a program.")),
  lamports: z.number().nullable().meta(onSolana("balance in base units; native_balance_raw is the exact integer.")),
  data_len: z.int().nullable().meta(onSolana("size of the account data in bytes.")),
  rent_epoch: z
    .string()
    .nullable()
    .meta(
      onSolana(
        "next epoch in which rent is due, as a decimal integer; 18446744073709551615 for a rent-exempt account, null when the node rounds it.",
      ),
    ),
  activated: z.boolean().nullable().meta(onTron("true when the chain has this account.")),
  frozen_v2: z
    .array(
      z.strictObject({
        resource: z.enum(["bandwidth", "energy", "tron_power"]),
        amount: z.number(),
        amount_raw: z.string(),
      }),
    )
    .nullable()
    .meta(onTron("amounts staked in Stake 2.0; not part of the balance.")),
  bandwidth: z
    .strictObject({
      free_limit: z.int(),
      free_used: z.int(),
      staked_limit: z.int(),
      staked_used: z.int(),
      available: z.int(),
    })
    .nullable()
    .meta(onTron("points used and available within 24 hours.")),
  energy: z
    .strictObject({ limit: z.int(), used: z.int(), available: z.int() })
    .nullable()
    .meta(onTron("points used and available within 24 hours.")),
  owner_permission: z
    .strictObject(permission)
    .nullable()
    .meta(onTron("keys with full control; null when only the account's own key has it.")),
  active_permissions: z
    .array(
      z.strictObject({
        id: z.int(),
        ...permission,
        operations: z.string().describe("Allowed contract types as a hex bit mask, one bit per type."),
      }),
    )
    .nullable()
    .meta(onTron("keys that may sign, with the contract types of each.")),
};

type AccountFactsOutput = z.output<z.ZodObject<typeof accountFacts>>;

const NO_PROGRAM = { owner_program: null, executable: null, lamports: null, data_len: null, rent_epoch: null };
const NO_RESOURCES = {
  activated: null,
  frozen_v2: null,
  bandwidth: null,
  energy: null,
  owner_permission: null,
  active_permissions: null,
};

/** Facts that the account's family provides; null for facts of other families. */
export const factsOf = (chain: Chain, account: DescribedAccount): AccountFactsOutput => ({
  ...programFacts(chain, account),
  ...resourceFacts(chain, account),
});

const programFacts = (chain: Chain, { program, balance }: DescribedAccount) =>
  program === null
    ? NO_PROGRAM
    : {
        owner_program: chain.formatAddress(program.owner_program),
        executable: program.executable,
        lamports: Number(balance),
        data_len: program.data_len,
        rent_epoch: program.rent_epoch === null ? null : program.rent_epoch.toString(),
      };

const resourceFacts = (chain: Chain, { resources, exists }: DescribedAccount) => {
  if (resources === null) return NO_RESOURCES;
  const { frozen_v2, bandwidth, energy, owner_permission, active_permissions } = resources;
  const { decimals } = chain.network.native;
  const left = (limit: number, used: number): number => Math.max(0, limit - used);
  const { free_limit, free_used, staked_limit, staked_used } = bandwidth;
  return {
    activated: exists,
    frozen_v2: frozen_v2.map(({ resource, amount }) => ({
      resource,
      amount: toAmount(amount, decimals),
      amount_raw: amount.toString(),
    })),
    bandwidth: { ...bandwidth, available: left(free_limit, free_used) + left(staked_limit, staked_used) },
    energy: { ...energy, available: left(energy.limit, energy.used) },
    owner_permission: owner_permission === null ? null : shownPermission(chain, owner_permission),
    active_permissions: active_permissions.map((active) => ({
      id: active.id,
      ...shownPermission(chain, active),
      operations: active.operations,
    })),
  };
};

const shownPermission = (chain: Chain, { name, threshold, keys }: Permission) => ({
  name,
  threshold,
  keys: keys.map(({ address, weight }) => ({ address: chain.formatAddress(address), weight })),
});
