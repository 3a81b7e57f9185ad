// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Answers for every name below its own (ENSIP-10): all of them point to one address.
contract WildcardResolver {
    address public immutable target;

    constructor(address target_) {
        target = target_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }

    /// `data` is a call of a resolver's record function; only addr(bytes32) has an answer.
    function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
        if (bytes4(data) == 0x3b3b57de) return abi.encode(target);
        return abi.encode(bytes(""));
    }
}
