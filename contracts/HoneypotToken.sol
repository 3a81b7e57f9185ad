// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Anyone can buy, only the owner can sell: a transfer into the pool fails for everybody else.
contract HoneypotToken is Token20, Owned {
    address public pool;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function setPool(address pool_) external onlyOwner {
        pool = pool_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner, "TRANSFER_FAILED");
        super._move(from, to, value);
    }
}
