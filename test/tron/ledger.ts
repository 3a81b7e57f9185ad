/** What a Tron network has beside its machine: TRC-10 tokens, stakes and rewards, kept here and told as transactions. */
import { type Json, sun } from "./shapes.ts";

/** One transaction of a system contract, with what it does to balances. */
export interface SystemDeed {
  readonly type: string;
  /** `0x…` */
  readonly owner: string;
  readonly value: Json;
  /** What the node writes into the info. */
  readonly info: Json;
  readonly fee: bigint;
  /** Change of TRX, the fee left out. */
  readonly trx: bigint;
  readonly assets: readonly { readonly holder: string; readonly id: string; readonly amount: bigint }[];
}

const hexText = (text: string): string => Buffer.from(text).toString("hex");
const tronHex = (address: string): string => `41${address.slice(2).toLowerCase()}`;

export const ASSET_ID = "1000001";
export const ASSET = { name: "Lantern Oil", abbr: "OIL", precision: 3, total_supply: 9_000_000_000_000_000_000n };
/** Of all OIL this much is locked for its issuer, and is on no balance. */
const LOCKED = 1_000_000_000_000_000_000n;

const plain = (type: string, owner: string, value: Json): SystemDeed => ({
  type,
  owner,
  value: { owner_address: tronHex(owner), ...value },
  info: {},
  fee: 0n,
  trx: 0n,
  assets: [],
});

export const issue = (owner: string): SystemDeed => ({
  ...plain("AssetIssueContract", owner, {
    name: hexText(ASSET.name),
    abbr: hexText(ASSET.abbr),
    total_supply: sun(ASSET.total_supply),
    frozen_supply: [{ frozen_amount: sun(LOCKED), frozen_days: 30 }],
    trx_num: 1,
    num: 1,
    precision: ASSET.precision,
  }),
  info: { assetIssueID: ASSET_ID },
  fee: 1_024_000_000n,
  assets: [{ holder: owner, id: ASSET_ID, amount: ASSET.total_supply - LOCKED }],
});

export const sendAsset = (owner: string, to: string, amount: bigint): SystemDeed => ({
  ...plain("TransferAssetContract", owner, {
    asset_name: hexText(ASSET_ID),
    to_address: tronHex(to),
    amount: sun(amount),
  }),
  assets: [
    { holder: owner, id: ASSET_ID, amount: -amount },
    { holder: to, id: ASSET_ID, amount },
  ],
});

export const stake = (owner: string, amount: bigint): SystemDeed => ({
  ...plain("FreezeBalanceV2Contract", owner, { frozen_balance: sun(amount), resource: "ENERGY" }),
  trx: -amount,
});

/** Ends a stake, which pays nothing yet. */
export const unstake = (owner: string, amount: bigint): SystemDeed =>
  plain("UnfreezeBalanceV2Contract", owner, { unfreeze_balance: sun(amount), resource: "ENERGY" });

export const withdrawStake = (owner: string, amount: bigint): SystemDeed => ({
  ...plain("WithdrawExpireUnfreezeContract", owner, {}),
  info: { withdraw_expire_amount: sun(amount) },
  trx: amount,
});

export const claimReward = (owner: string, amount: bigint): SystemDeed => ({
  ...plain("WithdrawBalanceContract", owner, {}),
  info: { withdraw_amount: sun(amount) },
  fee: 268_000n,
  trx: amount,
});

export const vote = (owner: string): SystemDeed => ({
  ...plain("VoteWitnessContract", owner, { votes: [{ vote_address: tronHex(owner), vote_count: 7 }] }),
  fee: 100_000n,
});

/** Changes of balances that the machine does not know. */
export class SideLedger {
  readonly #trx = new Map<string, bigint>();
  readonly #assets = new Map<string, bigint>();

  apply(deed: SystemDeed): void {
    this.#add(this.#trx, deed.owner.toLowerCase(), deed.trx - deed.fee);
    for (const { holder, id, amount } of deed.assets) this.#add(this.#assets, `${holder.toLowerCase()}:${id}`, amount);
  }

  trx(address: string): bigint {
    return this.#trx.get(address.toLowerCase()) ?? 0n;
  }

  /** As `getaccount` lists them. */
  assets(address: string): readonly Json[] {
    const prefix = `${address.toLowerCase()}:`;
    return [...this.#assets].flatMap(([key, amount]) =>
      key.startsWith(prefix) ? [{ key: key.slice(prefix.length), value: sun(amount) }] : [],
    );
  }

  #add(map: Map<string, bigint>, key: string, amount: bigint): void {
    map.set(key, (map.get(key) ?? 0n) + amount);
  }
}
