// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// A token with nothing to hide: the whole supply exists from the start, nobody owns the contract.
contract PlainToken is Token20 {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address holder) {
        _describe(name_, symbol_, decimals_);
        _mint(holder, supply);
    }

    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }
}
