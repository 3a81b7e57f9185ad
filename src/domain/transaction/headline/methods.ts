import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { selectorOf } from "../../abi.ts";
import { writtenFunction } from "./words/index.ts";

/** Frequently called functions that are no evidence of an act; those that are belong to the words of headlines. */
const SIGNATURES = [
  INTERFACES.erc20.transfer,
  INTERFACES.erc20.transferFrom,
  INTERFACES.erc721.safeTransferFrom,
  INTERFACES.erc721.safeTransferFrom_data,
  INTERFACES.erc1155.safeTransferFrom,
  INTERFACES.erc20.approve,
  INTERFACES.erc20_supply.increaseAllowance,
  INTERFACES.erc20_supply.decreaseAllowance,
  INTERFACES.erc721.setApprovalForAll,
  INTERFACES.erc2612.permit,
  INTERFACES.weth.withdraw,
  INTERFACES.erc20_supply.mint,
  INTERFACES.token_holders.burn,
  INTERFACES.rewards.claim,
  "stake(uint256)",
  INTERFACES.multicall.multicall,
  INTERFACES.multicall.multicall_deadline,
  "execute(bytes,bytes[],uint256)",
  "execute(bytes,bytes[])",
  INTERFACES.safe.execTransaction,
  INTERFACES.erc4337.handleOps_v06,
  "name()",
  "symbol()",
  "decimals()",
  INTERFACES.erc20.totalSupply,
  INTERFACES.erc20.balanceOf,
  "balanceOf(address,uint256)",
  INTERFACES.erc20.allowance,
  "nonces(address)",
  "DOMAIN_SEPARATOR()",
  INTERFACES.erc721.ownerOf,
  "tokenURI(uint256)",
  "uri(uint256)",
  INTERFACES.erc721.getApproved,
  INTERFACES.erc721.isApprovedForAll,
  INTERFACES.erc165.supportsInterface,
  INTERFACES.ownable.owner,
  INTERFACES.ownable.getOwner,
  INTERFACES.ownable.renounceOwnership,
  INTERFACES.ownable.transferOwnership,
  INTERFACES.token_holders.acceptOwnership,
  "pendingOwner()",
  INTERFACES.access_control.hasRole,
  INTERFACES.access_control.grantRole,
  "revokeRole(bytes32,address)",
  "paused()",
  INTERFACES.pausable.pause,
  INTERFACES.pausable.unpause,
  INTERFACES.token_holders.burnFrom,
  INTERFACES.proxy.implementation,
  INTERFACES.proxy.admin,
  INTERFACES.proxy.upgradeTo,
  INTERFACES.proxy.upgradeToAndCall,
  "changeAdmin(address)",
  "proxiableUUID()",
  INTERFACES.token_holders.initialize,
  INTERFACES.uniswap_v2.token0,
  INTERFACES.uniswap_v2.token1,
  INTERFACES.uniswap_v2.factory,
  INTERFACES.uniswap_v2.getReserves,
  "skim(address)",
  "sync()",
  "swap(uint256,uint256,address,bytes)",
  INTERFACES.uniswap_v3.slot0,
  INTERFACES.uniswap_v3.liquidity,
  INTERFACES.erc4626.asset,
  INTERFACES.erc4626.totalAssets,
  "convertToShares(uint256)",
  INTERFACES.erc4626.convertToAssets,
  "onERC721Received(address,address,uint256,bytes)",
  "isValidSignature(bytes32,bytes)",
  // Markets, votes, positions, and calls between their contracts.
  "approve(address,address,uint160,uint48)",
  "lockdown((address,address)[])",
  INTERFACES.dai.permit,
  "safeMint(address)",
  "mint(address)",
  "swap(address,bool,int256,uint160,bytes)",
  INTERFACES.multicall.aggregate3,
  INTERFACES.erc4337.handleOps_v07,
] as const;

const BY_SELECTOR: ReadonlyMap<Hex, string> = new Map(
  SIGNATURES.map((signature) => [selectorOf(signature), signature]),
);

/** The known signature of a selector, null without one. Other functions may share the selector. */
export const signatureOf = (selector: Hex): string | null => BY_SELECTOR.get(selector) ?? writtenFunction(selector);

/** The name before the bracket; null for an unknown selector. */
export const nameOf = (selector: Hex): string | null => {
  const signature = signatureOf(selector);
  return signature === null ? null : signature.slice(0, signature.indexOf("("));
};

/** The function's name, `0x` and its selector when it is unknown, null without call data. */
export const methodOf = (selector: Hex): string | null =>
  selector === "" ? null : (nameOf(selector) ?? `0x${selector}`);

/** Names of calls that grant or take a right and move nothing. */
export const namesApproval = (name: string): boolean =>
  /^(?:approve|approveChecked|increaseAllowance|decreaseAllowance|setApprovalForAll|permit|lockdown|revoke)$/.test(
    name,
  );

/** Reports the same of a known selector. */
export const isApproval = (selector: Hex): boolean => namesApproval(nameOf(selector) ?? "");
