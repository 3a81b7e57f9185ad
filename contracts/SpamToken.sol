// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// A worthless token whose name is an advertisement, thrown at many wallets in one transaction.
contract SpamToken is Token20 {
    constructor(string memory name_, string memory symbol_) {
        _describe(name_, symbol_, 18);
    }

    function airdrop(address[] calldata wallets, uint256 value) external {
        for (uint256 i = 0; i < wallets.length; i++) _mint(wallets[i], value);
    }
}
