import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { selectorOf } from "../../abi.ts";

/**
 * Functions of token standards that need a signature, an allowance, coins or a contract of the caller, so that a trial
 * cannot reach them. Each is tried all the same; a rejected trial leaves no power unknown.
 */
export const STANDARD: ReadonlySet<Hex> = new Set(
  [
    INTERFACES.erc20.transfer,
    INTERFACES.erc20.transferFrom,
    INTERFACES.erc20.approve,
    INTERFACES.erc20_supply.increaseAllowance,
    INTERFACES.erc20_supply.decreaseAllowance,
    INTERFACES.erc2612.permit,
    INTERFACES.dai.permit,
    INTERFACES.erc4626.deposit,
    INTERFACES.erc4626.mint,
    INTERFACES.erc4626.withdraw,
    INTERFACES.erc4626.redeem,
    INTERFACES.weth.deposit,
    INTERFACES.weth.withdraw,
    ...Object.values(INTERFACES.token_holders),
  ].map(selectorOf),
);

/** The slots that these functions read decide whether a holder can use the coins. */
export const HOLDER_FUNCTIONS: ReadonlySet<Hex> = new Set(
  [
    INTERFACES.erc20.transfer,
    INTERFACES.erc20.transferFrom,
    INTERFACES.erc20.approve,
    INTERFACES.erc20.balanceOf,
    INTERFACES.erc20.totalSupply,
  ].map(selectorOf),
);

export const TRANSFER_FROM: Hex = selectorOf(INTERFACES.erc20.transferFrom);
export const TOTAL_SUPPLY: Hex = selectorOf(INTERFACES.erc20.totalSupply);
export const RENOUNCE: Hex = selectorOf(INTERFACES.ownable.renounceOwnership);
