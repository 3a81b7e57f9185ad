import type { Hex } from "../../../lib/bytes.ts";
import { selectorOf } from "../../abi.ts";
import { writtenFunction } from "./words/index.ts";

/** Frequently called functions that are no evidence of an act; those that are belong to the words of headlines. */
const SIGNATURES = [
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
  "safeTransferFrom(address,address,uint256)",
  "safeTransferFrom(address,address,uint256,bytes)",
  "safeTransferFrom(address,address,uint256,uint256,bytes)",
  "approve(address,uint256)",
  "increaseAllowance(address,uint256)",
  "decreaseAllowance(address,uint256)",
  "setApprovalForAll(address,bool)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "withdraw(uint256)",
  "mint(address,uint256)",
  "burn(uint256)",
  "claim()",
  "stake(uint256)",
  "multicall(bytes[])",
  "multicall(uint256,bytes[])",
  "execute(bytes,bytes[],uint256)",
  "execute(bytes,bytes[])",
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
  "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)",
  "name()",
  "symbol()",
  "decimals()",
  "totalSupply()",
  "balanceOf(address)",
  "balanceOf(address,uint256)",
  "allowance(address,address)",
  "nonces(address)",
  "DOMAIN_SEPARATOR()",
  "ownerOf(uint256)",
  "tokenURI(uint256)",
  "uri(uint256)",
  "getApproved(uint256)",
  "isApprovedForAll(address,address)",
  "supportsInterface(bytes4)",
  "owner()",
  "getOwner()",
  "renounceOwnership()",
  "transferOwnership(address)",
  "acceptOwnership()",
  "pendingOwner()",
  "hasRole(bytes32,address)",
  "grantRole(bytes32,address)",
  "revokeRole(bytes32,address)",
  "paused()",
  "pause()",
  "unpause()",
  "burnFrom(address,uint256)",
  "implementation()",
  "admin()",
  "upgradeTo(address)",
  "upgradeToAndCall(address,bytes)",
  "changeAdmin(address)",
  "proxiableUUID()",
  "initialize()",
  "token0()",
  "token1()",
  "factory()",
  "getReserves()",
  "skim(address)",
  "sync()",
  "swap(uint256,uint256,address,bytes)",
  "slot0()",
  "liquidity()",
  "asset()",
  "totalAssets()",
  "convertToShares(uint256)",
  "convertToAssets(uint256)",
  "onERC721Received(address,address,uint256,bytes)",
  "isValidSignature(bytes32,bytes)",
  // Markets, votes, positions, and calls between their contracts.
  "approve(address,address,uint160,uint48)",
  "lockdown((address,address)[])",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
  "safeMint(address)",
  "mint(address)",
  "swap(address,bool,int256,uint160,bytes)",
  "aggregate3((address,bool,bytes)[])",
  "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)",
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
