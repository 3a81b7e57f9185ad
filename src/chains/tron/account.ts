/**
 * Reads an account (`getaccount`) and its resources (`getaccountresource`) from java-tron's answers. Each function
 * throws `BadAnswer`.
 */
import { toHex } from "../../lib/bytes.ts";
import { cleanText, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { ActivePermission, Permission, ResourceFacts } from "../account_facts.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf, textOf } from "../node/answer.ts";
import { addressOf, amountOf, bytesOf, countOf } from "./wire.ts";

/** Names of `ResourceCode`; the first is omitted (proto3). */
const RESOURCES: Readonly<Record<string, ResourceFacts["frozen_v2"][number]["resource"]>> = {
  BANDWIDTH: "bandwidth",
  ENERGY: "energy",
  TRON_POWER: "tron_power",
};

interface AccountAnswers {
  readonly account: JsonFields;
  /** Answer of `getaccountresource`; an account that does not exist has none. */
  readonly used: JsonFields;
  /** Answer of `getcontractinfo`; null without a contract. */
  readonly contract: JsonFields | null;
}

export const readResources = ({ account, used, contract }: AccountAnswers): ResourceFacts => ({
  frozen_v2: readFrozen(account.frozenV2),
  bandwidth: {
    free_limit: countOf(used.freeNetLimit, "free bandwidth"),
    free_used: countOf(used.freeNetUsed, "used free bandwidth"),
    staked_limit: countOf(used.NetLimit, "bandwidth"),
    staked_used: countOf(used.NetUsed, "used bandwidth"),
  },
  energy: { limit: countOf(used.EnergyLimit, "energy"), used: countOf(used.EnergyUsed, "used energy") },
  caller_energy_percent:
    contract === null
      ? null
      : countOf(fieldsOf(contract.smart_contract, "contract").consume_user_resource_percent, "caller's share"),
  owner_permission: account.owner_permission === undefined ? null : readPermission(account.owner_permission),
  active_permissions: listIn(account.active_permission, "active permissions").map(readActive),
});

/** Some transaction of the account needs more than one key. */
export const needsSeveralKeys = ({ owner_permission, active_permissions }: ResourceFacts): boolean =>
  [...(owner_permission === null ? [] : [owner_permission]), ...active_permissions].some(
    ({ threshold, keys }) => threshold > Math.max(0, ...keys.map(({ weight }) => weight)),
  );

const listIn = (value: unknown, what: string): readonly unknown[] => (value === undefined ? [] : listOf(value, what));

const readFrozen = (value: unknown): ResourceFacts["frozen_v2"] => {
  const sums = new Map<ResourceFacts["frozen_v2"][number]["resource"], bigint>();
  for (const item of listIn(value, "stakes")) {
    const { type = "BANDWIDTH", amount } = fieldsOf(item, "stake");
    const resource = typeof type === "string" && Object.hasOwn(RESOURCES, type) ? RESOURCES[type] : undefined;
    if (resource === undefined) throw new BadAnswer("a stake for an unknown resource");
    sums.set(resource, (sums.get(resource) ?? 0n) + amountOf(amount, "stake"));
  }
  return [...sums].flatMap(([resource, amount]) => (amount === 0n ? [] : [{ resource, amount }]));
};

const sumOf = (list: unknown, member: string): bigint =>
  listIn(list, "stakes").reduce<bigint>((sum, item) => sum + amountOf(fieldsOf(item, "stake")[member], "stake"), 0n);

/**
 * Base units that an account has staked: for itself, delegated to others, and unstaked but not withdrawable yet; in
 * Stake 1.0 (`frozen`) and 2.0.
 */
export const stakedIn = (account: JsonFields): bigint => {
  const resource = account.account_resource === undefined ? {} : fieldsOf(account.account_resource, "resources");
  const of_energy = resource.frozen_balance_for_energy;
  return (
    sumOf(account.frozenV2, "amount") +
    sumOf(account.unfrozenV2, "unfreeze_amount") +
    sumOf(account.frozen, "frozen_balance") +
    sumOf(of_energy === undefined ? undefined : [of_energy], "frozen_balance") +
    amountOf(account.delegated_frozenV2_balance_for_bandwidth, "delegated stake") +
    amountOf(account.delegated_frozen_balance_for_bandwidth, "delegated stake") +
    amountOf(resource.delegated_frozenV2_balance_for_energy, "delegated stake") +
    amountOf(resource.delegated_frozen_balance_for_energy, "delegated stake")
  );
};

const readPermission = (value: unknown): Permission => {
  const { permission_name = "", threshold, keys } = fieldsOf(value, "permission");
  const name = cleanText(textOf(permission_name, "permission name"), TEXT_BYTES_MAX.name);
  return {
    name: name === "" ? null : name,
    threshold: countOf(threshold, "threshold"),
    keys: listIn(keys, "keys").map((item) => {
      const key = fieldsOf(item, "key");
      return { address: toHex(addressOf(key.address, "key")), weight: countOf(key.weight, "weight") };
    }),
  };
};

const readActive = (value: unknown): ActivePermission => {
  const { id, operations } = fieldsOf(value, "permission");
  return {
    ...readPermission(value),
    id: countOf(id, "permission id"),
    operations: toHex(bytesOf(operations, "operations")),
  };
};
